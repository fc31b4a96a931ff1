import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { assertionSchema } from '../people/webauthn-schemas.ts'
import { describeRoutesUnder, finishDocument } from '../plugins/describe-routes.ts'
import { reasonText } from './perform-act.ts'
import { explainedDecision } from './routes/margin-schemas.ts'
import { lossesObject, stressObject } from './routes/stress.ts'

declare module 'fastify' {
  interface FastifyInstance {
    operatorDocument(): Record<string, unknown>
  }
}

const PARTS = {
  ExplainedDecision: explainedDecision,
  PasskeyAnswer: assertionSchema,
  Reason: z.strictObject({ reason: reasonText }),
  Stress: stressObject,
  StressLosses: lossesObject,
}

/** OpenAPI 3.1 of the operator API. Register before its routes. */
export async function describeOperatorApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    decorator: 'operatorDocument' as 'swagger',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lending service, operator API',
        version: manifest.version,
        description:
          "For the lender's own people and tools, on the internal port alone. A token, which the operators tokens command makes, or a session in the desk names the operator; their role decides what they may do, and what they do is recorded.",
      },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: '__Host-desk' },
        },
      },
      security: [{ token: [] }, { session: [] }],
      tags: [
        { name: 'Session', description: 'Signing in to the desk, and passkeys' },
        { name: 'Operators', description: 'Who may use the API, and who does now' },
        { name: 'Actions', description: 'Who did what' },
        { name: 'Approvals', description: 'Acts that a second operator confirms' },
        { name: 'Book', description: 'Exposure, concentration, warnings, deficits, interest' },
        { name: 'Books', description: 'The general ledger: balances, exports, the end of a month' },
        { name: 'Margin', description: 'Warnings, calls, timelines, stress' },
        { name: 'Reviews', description: 'Checks and applications that wait, and blocks' },
        { name: 'Administration', description: 'Tenants, their access and contracts, policies' },
        { name: 'Operations', description: 'What is wrong, what waits, and what runs' },
      ],
    },
    transform: describeRoutesUnder('/operator/v1/'),
    transformObject: finishDocument(PARTS),
  })
}
