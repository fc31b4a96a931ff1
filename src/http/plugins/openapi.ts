import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import { eventEnvelope } from '../schemas/event-schema.ts'
import { type Announced, markDeprecated } from './announce-deprecations.ts'
import { describeRoutesUnder, finishDocument } from './describe-routes.ts'
import { describeWebhooks, openSchema } from './describe-webhooks.ts'

function introduce(guides: string): string {
  return `Every request is signed with Ed25519 (headers X-SVC-Key-Id, X-SVC-Timestamp,
X-SVC-Signature). Operations that change something carry an Idempotency-Key. Every answer carries
RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset; errors are problem objects. Each
operation names the [scope](${guides}/requests#scopes) that the key needs.

Guides: [Getting started](${guides}/start), [Signing requests](${guides}/signing),
[Requests and limits](${guides}/requests), [Money out and money in](${guides}/payments),
[Errors](${guides}/errors),
[Receiving webhooks](${guides}/webhooks), [all of them](${guides}).`
}

const describeScope = (scope: string | undefined) =>
  scope === undefined ? 'Scope: none.' : `Scope: \`${scope}\`.`

/** OpenAPI 3.1 from the routes' schemas. Register before the routes. */
export async function describeRoutes(app: FastifyInstance, announced: Announced): Promise<void> {
  const { publicUrl } = announced
  const guides = `${publicUrl}/docs/guides`
  const finish = finishDocument()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lending service',
        version: manifest.version,
        description: introduce(guides),
      },
      externalDocs: { description: 'Guides', url: guides },
      servers: [{ url: publicUrl }],
      components: {
        schemas: { EventEnvelope: openSchema(eventEnvelope) },
        securitySchemes: {
          keyId: { type: 'apiKey', in: 'header', name: 'X-SVC-Key-Id' },
          timestamp: { type: 'apiKey', in: 'header', name: 'X-SVC-Timestamp' },
          signature: { type: 'apiKey', in: 'header', name: 'X-SVC-Signature' },
        },
      },
      webhooks: describeWebhooks(),
      security: [{ keyId: [], timestamp: [], signature: [] }],
      tags: [
        { name: 'Keys', description: 'The key that signs' },
        { name: 'Onboarding', description: 'Contracts, borrowers and their signatures' },
        { name: 'Collateral', description: "Borrowers' assets" },
        {
          name: 'Facilities',
          description: `Credit lines and their draws: [where a draw goes](${guides}/payments#where-a-draw-goes)`,
        },
        {
          name: 'Repayments',
          description: `Repaying debt: [how a borrower pays](${guides}/payments#how-a-borrower-pays)`,
        },
        { name: 'Margin', description: 'Collateral, warnings and calls' },
        {
          name: 'Webhooks',
          description: 'Registering endpoints for events, and their signing secret',
        },
        { name: 'Events', description: "The tenant's event log" },
        { name: 'Deliveries', description: 'Requests that the service sends to your webhooks' },
        { name: 'Sandbox', description: "Controls of a tenant's own sandbox; not served on live" },
      ],
    },
    transform: describeRoutesUnder('/v1/', describeScope),
    transformObject: (input) => markDeprecated(finish(input), announced),
  })
}
