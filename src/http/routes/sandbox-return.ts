import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import type { Tx } from '../../db/database.ts'
import { findDraw, unknownDraw } from '../../domain/facilities/draws/draws.ts'
import { CHECK_PAYMENT } from '../../domain/facilities/topics.ts'
import { findRepayment, unknownRepayment } from '../../domain/repayments/repayments.ts'
import { requestWork } from '../../domain/work/work.ts'
import { findSandboxReturn, returnSandboxCall } from '../../providers/sandbox/sandbox-call.ts'
import { sandboxControl } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { idInput, idText, text, timestamp } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const REPAYMENT_ID = 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c'

const code = text(64).regex(/^[a-z][a-z0-9_]*$/, { error: 'Expected a code such as "recalled".' })

const ofRepayment = z.strictObject({ repayment_id: idInput('rep'), code })
const ofDraw = z.strictObject({ draw_id: idInput('drw'), code })
const returnInput = z
  .union([ofRepayment, ofDraw])
  .meta({ examples: [{ repayment_id: REPAYMENT_ID, code: 'recalled' }] })

const returnSchema = z
  .strictObject({
    repayment_id: idText('rep').optional(),
    draw_id: idText('drw').optional(),
    code: z.string(),
    returned_at: timestamp.describe('In real time, as the payments provider has it'),
  })
  .meta({
    id: 'SandboxReturn',
    examples: [
      { repayment_id: REPAYMENT_ID, code: 'recalled', returned_at: '2026-11-25T12:00:00.000Z' },
    ],
  })

export function sandboxReturnRoute(app: TenantApp, { mutate }: RouteContext): void {
  app.post('/sandbox/payments/return', {
    id: 'returnSandboxPayment',
    summary: 'Take back the money of a repayment, or send back that of a draw',
    description:
      'As the payments provider does, weeks later. It is booked in a moment: `repayment.reversed` or `draw.returned` follows. What has come back already is answered as it was.',
    tag: 'Sandbox',
    config: sandboxControl('repayment:write'),
    body: returnInput,
    response: { 200: returnSchema },
    errors: ['sandbox_only', 'not_found', 'nothing_to_return'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, realNow }) => {
        const { body } = request
        const { subjectId, callId } = await findCall(tx, tenantId, body)
        const call = { tenantId, callId, realNow }
        const known = await findSandboxReturn(tx, call)
        if (!known) {
          if (!(await returnSandboxCall(tx, call, body))) throw nothingToReturn()
          await requestWork(tx, { tenantId, topic: CHECK_PAYMENT, subjectId }, realNow)
        }
        const { code: returned, returnedAt } = known ?? { code: body.code, returnedAt: realNow }
        return {
          status: 200,
          body: { ...body, code: returned, returned_at: returnedAt.toISOString() },
        }
      }),
  })
}

/** A part of a receipt comes back with the whole. Refuses `not_found`. */
async function findCall(
  tx: Tx,
  tenantId: string,
  body: z.output<typeof returnInput>,
): Promise<{ subjectId: string; callId: string }> {
  if ('draw_id' in body) {
    const draw = await findDraw(tx, tenantId, body.draw_id)
    if (!draw) throw unknownDraw()
    return { subjectId: draw.id, callId: draw.id }
  }
  const repayment = await findRepayment(tx, tenantId, body.repayment_id)
  if (!repayment) throw unknownRepayment()
  const { id, splitFrom, inquiry } = repayment
  if (splitFrom !== undefined) {
    return await findCall(tx, tenantId, { ...body, repayment_id: splitFrom })
  }
  return { subjectId: id, callId: `${id}/${inquiry}` }
}

function nothingToReturn(): Refusal {
  return new Refusal(
    'nothing_to_return',
    'Nothing was received for this repayment, or paid out for this draw, so nothing can come back.',
  )
}
