import { z } from 'zod'
import { LIMIT_CLASSES, type LimitClass } from '../../core/limits/limit-classes.ts'
import { SCOPES } from '../../core/scopes.ts'
import type { RouteContext } from '../route-context.ts'
import { idText, timestamp } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

/** Classes whose buckets the tenant's keys share; the sandbox has one more. */
const CLASSES = [
  ...(['portfolio_ingest', 'reads', 'valuation', 'money', 'platform_config'] as const),
  'simulate',
] as const satisfies LimitClass[]

const whoamiSchema = z
  .strictObject({
    tenant_id: idText('ten'),
    key_id: idText('key'),
    scopes: z.array(z.enum(SCOPES)),
    expires_at: timestamp
      .optional()
      .describe('From then on the key is refused. Absent where it does not expire'),
    stack: z.enum(['live', 'sandbox']),
    limits: z.array(
      z.strictObject({
        class: z.string().describe('As the detail of a 429 names it'),
        per_second: z.number().describe('Tokens a second'),
        burst: z.int(),
      }),
    ),
  })
  .meta({
    id: 'Whoami',
    examples: [
      {
        tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
        key_id: 'key_01k9x4m2q8e0tb7f2v5j6h8n3c',
        scopes: ['borrower:read', 'facility:read'],
        expires_at: '2027-01-31T00:00:00.000Z',
        stack: 'live',
        limits: [{ class: 'Reads', per_second: 20, burst: 200 }],
      },
    ],
  })

export function whoamiRoute(app: TenantApp, { config }: RouteContext): void {
  const { stack } = config
  const classes: readonly LimitClass[] =
    stack === 'live' ? CLASSES : [...CLASSES, 'sandbox_controls']
  const limits = classes.map((limitClass) => {
    const { burst, intervalMicros } = config.limits[limitClass]
    const { displayName } = LIMIT_CLASSES[limitClass]
    return { class: displayName, per_second: 1_000_000 / intervalMicros, burst }
  })
  app.get('/whoami', {
    id: 'whoami',
    summary: 'Get the key that signs: its tenant, scopes and expiry, and the limits',
    tag: 'Keys',
    // No scope: every key may ask what it is.
    config: { limitClass: 'reads', idempotencyKey: 'ignored' },
    response: { 200: whoamiSchema },
    async handler({ claim }) {
      if (!claim?.key) throw new Error('a route was reached without a key')
      const { tenantId, keyId, scopes, expiresAt } = claim.key
      return {
        ...{ tenant_id: tenantId, key_id: keyId, stack, limits },
        scopes: SCOPES.filter((scope) => scopes.has(scope)),
        ...(expiresAt && { expires_at: expiresAt.toISOString() }),
      }
    },
  })
}
