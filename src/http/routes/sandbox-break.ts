import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import { makeSandboxBreak } from '../../providers/sandbox/sandbox-transfers.ts'
import { sandboxControl } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { idInput } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const DRAW_ID = 'drw_01k9x4m2q8e0tb7f2v5j6h8n3c'

const kind = z.enum(['missing_there', 'other_amount', 'other_day'])
const breakInput = z
  .union([
    z.strictObject({ kind: z.literal('missing_here') }),
    z.strictObject({ kind, draw_id: idInput('drw') }),
    z.strictObject({ kind, repayment_id: idInput('rep') }),
  ])
  .meta({ examples: [{ kind: 'other_amount', draw_id: DRAW_ID }] })

const breakSchema = z
  .strictObject({
    kind: z.enum(['missing_here', 'missing_there', 'other_amount', 'other_day']),
    transfer_id: z.string().describe("The payments provider's"),
    day: z.string().describe('On which the provider lists it, or would have'),
  })
  .meta({
    id: 'SandboxBreak',
    examples: [{ kind: 'other_amount', transfer_id: `sandbox-${DRAW_ID}`, day: '2026-11-25' }],
  })

export function sandboxBreakRoute(app: TenantApp, { mutate }: RouteContext): void {
  app.post('/sandbox/payments/breaks', {
    id: 'makeSandboxBreak',
    summary: "Make the payments provider's list of a day differ from the books",
    description:
      "A transfer that the books do not know, or one of a draw or repayment that is missing, of another amount or two days late. The lender's reconciliation finds it when the day after has ended by your clock. The list of a day that has been read is not changed.",
    tag: 'Sandbox',
    config: sandboxControl('repayment:write'),
    body: breakInput,
    response: { 200: breakSchema },
    errors: ['sandbox_only', 'not_found'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, now }) => {
        const { body } = request
        const subject =
          'draw_id' in body ? body.draw_id : 'repayment_id' in body ? body.repayment_id : undefined
        const made = await makeSandboxBreak(tx, tenantId, { kind: body.kind, subject }, now)
        if (!made) {
          throw new Refusal('not_found', 'The payments provider knows no transfer of it.')
        }
        return {
          status: 200,
          body: { kind: body.kind, transfer_id: made.transferId, day: made.day },
        }
      }),
  })
}
