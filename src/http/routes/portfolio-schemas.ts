import { z } from 'zod'
import { type FieldFault, issueOf } from '../../core/field-errors.ts'
import { decimalPattern, findDecimalFault, fractionDigits, parseDecimal } from '../../core/money.ts'
import { parseAsOf } from '../../domain/collateral/as-of.ts'
import { assetText, decimalText } from '../schemas/amounts.ts'
import { NO_TIMESTAMP, textReadBy, timestamp, timestampText } from '../schemas/fields.ts'

const MAX_POSITIONS = 200

/** Read as microseconds. */
const asOfInput = textReadBy(parseAsOf, () => NO_TIMESTAMP, timestampText)

const positionText = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{1,16}$/, {
    error: 'Invalid format. Expected 1 to 16 capital letters and digits.',
  }),
  quantity: z
    .string()
    .meta({ pattern: decimalPattern(18) })
    .describe("Plain decimal, 0 or more, with at most the asset's decimal places"),
})

/** The quantity is read in the asset's smallest unit. */
const positionInput = positionText.transform(({ asset, quantity }, context) => {
  const digits = fractionDigits(asset)
  const units = parseDecimal(quantity, digits)
  if (units !== undefined) return { asset, units }
  context.issues.push(issueOf(findDecimalFault(quantity, digits), quantity, ['quantity']))
  return z.NEVER
})

const GIVEN_TWICE: FieldFault = {
  code: 'duplicate',
  expected: 'Duplicate asset. Expected one position for each asset.',
}

export const positionsInput = z
  .array(positionInput)
  .max(MAX_POSITIONS)
  .superRefine((positions, context) => {
    const seen = new Set<string>()
    for (const [row, { asset }] of positions.entries()) {
      if (seen.has(asset)) {
        context.addIssue(issueOf(GIVEN_TWICE, asset, [row, 'asset']))
      }
      seen.add(asset)
    }
  })

export const snapshotSchema = z
  .strictObject({
    as_of: asOfInput.describe('When the positions were read; stored to the microsecond'),
    positions: positionsInput.describe('All assets of the borrower, each once'),
  })
  .meta({
    examples: [
      {
        as_of: '2026-11-20T12:00:00Z',
        positions: [
          { asset: 'BTC', quantity: '1.5' },
          { asset: 'USDC', quantity: '2500' },
        ],
      },
    ],
  })

export const portfolioSchema = z
  .strictObject({
    as_of: timestamp.describe('To the millisecond'),
    received_at: timestamp.describe('When it arrived; its age counts from then'),
    positions: z
      .array(z.strictObject({ asset: assetText, quantity: decimalText }))
      .describe('As pushed, sorted by asset'),
  })
  .meta({
    id: 'Portfolio',
    examples: [
      {
        as_of: '2026-11-20T12:00:00.000Z',
        received_at: '2026-11-20T12:00:00.215Z',
        positions: [
          { asset: 'BTC', quantity: '1.5' },
          { asset: 'USDC', quantity: '2500' },
        ],
      },
    ],
  })

export const pushedSchema = z
  .strictObject({
    applied: z.boolean().describe('False where a newer snapshot is stored or waits to be stored'),
    as_of: timestamp.describe('Of the newest stored snapshot, to the millisecond'),
    unknown_assets: z
      .array(assetText)
      .exactOptional()
      .describe(
        'Codes of this snapshot that the service does not know: they count nothing. Missing where it knows all',
      ),
  })
  .meta({ id: 'PortfolioPush', examples: [{ applied: true, as_of: '2026-11-20T12:00:00.000Z' }] })
