import { z } from 'zod'
import { formatUsd } from '../../core/money.ts'
import type { Facility } from '../../domain/facilities/facilities.ts'
import { MOVEMENT_TYPES } from '../../domain/facilities/statements/movements.ts'
import type { Payoff } from '../../domain/facilities/statements/payoff.ts'
import { STATEMENT_COLUMNS } from '../../domain/facilities/statements/statement-document.ts'
import { amountSchema, signedUsdText, usdText } from '../schemas/amounts.ts'
import { cursorText, idText, timestamp } from '../schemas/fields.ts'

const FACILITY_ID = 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'

const balanceObject = z.strictObject({
  principal: signedUsdText,
  interest: signedUsdText,
  total: signedUsdText,
})

const lineObject = z.strictObject({
  type: z.enum(['interest', ...MOVEMENT_TYPES]),
  value_date: timestamp.describe('From when it counts'),
  posted_at: timestamp
    .optional()
    .describe('When it was booked; interest is computed from the value dates'),
  draw_id: idText('drw').optional(),
  repayment_id: idText('rep').optional(),
  correction_id: idText('cor').optional().describe('Of the lender, see facility.corrected'),
  margin_call_number: z.int().min(1).optional(),
  principal: signedUsdText.describe('What it adds to the principal'),
  interest: signedUsdText.describe('What it adds to the interest'),
  refund_due: signedUsdText.optional().describe('What it adds to the refund; negative: paid out'),
  recovered: usdText.optional().describe('Of a debt that was charged off'),
  received: amountSchema.optional(),
  paid: amountSchema.optional(),
  balance: balanceObject.describe('After this line'),
})

export const statementSchema = z
  .strictObject({
    facility_id: idText('fac'),
    from: timestamp.describe('Movements after this instant'),
    to: timestamp.describe('Until this instant'),
    opening: balanceObject.describe('At `from`, on every page'),
    lines: z.array(lineObject),
    closing: balanceObject.describe('At `to`, on every page'),
    next_cursor: cursorText.optional().describe('Present while there are more lines'),
    has_more: z.boolean(),
  })
  .meta({
    id: 'Statement',
    examples: [
      {
        facility_id: FACILITY_ID,
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-12-01T00:00:00.000Z',
        opening: { principal: '20000.00', interest: '0.00', total: '20000.00' },
        lines: [
          {
            type: 'interest' as const,
            value_date: '2026-11-11T00:00:00.000Z',
            principal: '0.00',
            interest: '54.80',
            balance: { principal: '20000.00', interest: '54.80', total: '20054.80' },
          },
          {
            type: 'repayment' as const,
            value_date: '2026-11-11T00:00:00.000Z',
            posted_at: '2026-11-11T00:00:05.000Z',
            repayment_id: 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c',
            principal: '-4945.20',
            interest: '-54.80',
            received: { amount: '5000.00', asset: 'USD' },
            balance: { principal: '15054.80', interest: '0.00', total: '15054.80' },
          },
          {
            type: 'interest' as const,
            value_date: '2026-12-01T00:00:00.000Z',
            principal: '0.00',
            interest: '82.49',
            balance: { principal: '15054.80', interest: '82.49', total: '15137.29' },
          },
        ],
        closing: { principal: '15054.80', interest: '82.49', total: '15137.29' },
        has_more: false,
      },
    ],
  })

export const STATEMENT_CSV_EXAMPLE = [
  STATEMENT_COLUMNS.join(','),
  '2026-11-01T00:00:00.000Z,,opening,,20000.00,0.00,,,,,,20000.00',
  '2026-12-01T00:00:00.000Z,,closing,,20000.00,164.39,,,,,,20164.39',
  '',
].join('\r\n')

export const payoffSchema = z
  .strictObject({
    facility_id: idText('fac'),
    at: timestamp,
    principal: usdText,
    interest: usdText,
    total: usdText.describe('What closes the facility if it is reported at that instant'),
    per_day: usdText.describe('Interest of each further day, rounded up to the cent'),
    rises_at: timestamp.optional().describe('From then on it is a cent more, or more'),
    reserved: usdText.describe('Draws in progress; each adds to the debt when it is paid out'),
  })
  .meta({
    id: 'Payoff',
    examples: [
      {
        facility_id: FACILITY_ID,
        at: '2026-12-20T12:00:00.000Z',
        principal: '48000.00',
        interest: '394.53',
        total: '48394.53',
        per_day: '13.16',
        rises_at: '2026-12-20T12:01:02.101Z',
        reserved: '0.00',
      },
    ],
  })

export function toPayoffBody(facility: Facility, payoff: Payoff): z.input<typeof payoffSchema> {
  const { at, outstanding, perDayCents, risesAt } = payoff
  return {
    facility_id: facility.id,
    at: at.toISOString(),
    principal: formatUsd(outstanding.principalCents),
    interest: formatUsd(outstanding.interestCents),
    total: formatUsd(outstanding.totalCents),
    per_day: formatUsd(perDayCents),
    ...(risesAt && { rises_at: risesAt.toISOString() }),
    reserved: formatUsd(facility.reservedCents),
  }
}
