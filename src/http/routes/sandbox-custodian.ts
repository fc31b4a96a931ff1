import { z } from 'zod'
import { formatQuantity } from '../../core/money.ts'
import { getBorrower } from '../../domain/onboarding/borrowers.ts'
import { MOST_LATE_SECONDS, setSandboxHolding } from '../../providers/sandbox/sandbox-holdings.ts'
import { sandboxControl } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { assetText, decimalText } from '../schemas/amounts.ts'
import { idInput, idText } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import { positionsInput } from './portfolio-schemas.ts'

const BORROWER_ID = 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c'

const lateSeconds = z.int().min(0).max(MOST_LATE_SECONDS)

const holdingInput = z
  .strictObject({
    borrower_id: idInput('bor'),
    positions: positionsInput
      .nullable()
      .describe('What the custodian holds, whatever is pushed; null: what was pushed'),
    late_seconds: lateSeconds
      .default(0)
      .describe('How long, by your clock, a question about a push or an escalation stays open'),
  })
  .meta({
    examples: [{ borrower_id: BORROWER_ID, positions: [{ asset: 'BTC', quantity: '0.5' }] }],
  })

const holdingSchema = z
  .strictObject({
    borrower_id: idText('bor'),
    positions: z
      .array(z.strictObject({ asset: assetText, quantity: decimalText }))
      .nullable()
      .describe('null: what was pushed'),
    late_seconds: lateSeconds,
  })
  .meta({
    id: 'SandboxHolding',
    examples: [
      {
        borrower_id: BORROWER_ID,
        positions: [{ asset: 'BTC', quantity: '0.5' }],
        late_seconds: 0,
      },
    ],
  })

export function sandboxCustodianRoute(app: TenantApp, { mutate }: RouteContext): void {
  app.post('/sandbox/custodian/positions', {
    id: 'setSandboxCustodianPositions',
    summary: 'Set what the custodian holds for a borrower',
    description:
      'From now on, less what margin calls sell. It shows only where the custodian is asked: about a push that would raise, worsen or cure a margin warning, before an escalation or an order, and where it is your portfolio source.',
    tag: 'Sandbox',
    config: sandboxControl('facility:write'),
    body: holdingInput,
    response: { 200: holdingSchema },
    errors: ['sandbox_only', 'not_found'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, now }) => {
        const { borrower_id: borrowerId, positions, late_seconds } = request.body
        await getBorrower(tx, tenantId, borrowerId)
        const holding = { positions: positions ?? undefined, lateSeconds: late_seconds }
        await setSandboxHolding(tx, { tenantId, borrowerId }, holding, now)
        const shown = positions?.map(({ asset, units }) => {
          return { asset, quantity: formatQuantity({ asset, units }) }
        })
        const body = { borrower_id: borrowerId, positions: shown ?? null, late_seconds }
        return { status: 200, body }
      }),
  })
}
