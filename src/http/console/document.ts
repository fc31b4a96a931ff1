import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import { assertionSchema } from '../people/webauthn-schemas.ts'
import { describeRoutesUnder, finishDocument } from '../plugins/describe-routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    consoleDocument(): Record<string, unknown>
  }
}

/** OpenAPI 3.1 of what only the console has. Register before its routes. */
export async function describeConsole(app: FastifyInstance, origin: string): Promise<void> {
  await app.register(swagger, {
    decorator: 'consoleDocument' as 'swagger',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lending service console',
        version: manifest.version,
        description:
          'What the console has beside the /v1 operations, which it calls under /console/v1. A session cookie takes the place of a signature; what changes something proves its origin.',
      },
      servers: [{ url: origin }],
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-console' } },
      },
      security: [{ session: [] }],
      tags: [
        { name: 'Session', description: 'Signing in and out' },
        { name: 'Passkeys', description: 'Passkeys of the person who is signed in' },
        { name: 'Keys', description: "Keys that sign the tenant's requests" },
        { name: 'People', description: 'Who may use the console' },
        { name: 'Actions', description: 'Who did what in the console' },
        {
          name: 'Lending',
          description: 'What is found by its id alone, and prices of the sandbox',
        },
        { name: 'History', description: 'Requests, events, deliveries and figures over time' },
      ],
    },
    transform: describeRoutesUnder('/console/api/'),
    transformObject: finishDocument({ PasskeyAnswer: assertionSchema }),
  })
}
