import type { Command } from 'commander'
import type {
  FacilityPreview,
  MarginLevels,
  PreviewActs,
} from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { type CommonOptions, defineCommand, readWhole, runCommand } from '../define-command.ts'
import { formatFields, reportList } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'

type Pair = readonly [asset: string, value: string]

type PreviewOptions = CommonOptions & {
  draw?: string
  repay?: string
  asset: string
  deposit?: Pair[]
  withdraw?: Pair[]
  price?: Pair[]
  days?: number
}

export function addForesightCommands(group: Command, io: SvcIo): void {
  defineCommand(group, 'levels <facility_id>', 'read at which prices a warning would be raised', [
    'facility levels fac_…',
  ]).action((id: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => reportLevels(await client.getMarginLevels(id))),
  )

  defineCommand(group, 'preview <facility_id>', 'preview what would happen; changes nothing', [
    'facility preview fac_… --price BTC=60000 --days 3',
    'facility preview fac_… --deposit BTC=0.5 --draw 10000.00',
  ])
    .option('--draw <amount>', 'paid out at once')
    .option('--repay <amount>', 'confirmed at once')
    .option('--asset <code>', 'of both: USD or USDC', 'USD')
    .option('--deposit <asset=quantity>', 'collateral that is added', readPair)
    .option('--withdraw <asset=quantity>', 'collateral that is taken away', readPair)
    .option('--price <asset=usd>', 'a new price', readPair)
    .option('--days <count>', 'how long afterwards', readWhole('--days', 0))
    .action((id: string, options: PreviewOptions) =>
      runCommand(io, options, async ({ client }) =>
        reportPreview(await client.previewFacility(id, toActs(options))),
      ),
    )
}

function readPair(text: string, earlier: Pair[] = []): Pair[] {
  const [, asset, value] = /^([A-Z0-9]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (asset && value) return [...earlier, [asset, value]]
  throw new SvcError('usage', `Expected an asset and a number, such as BTC=0.5: not "${text}".`)
}

function toActs({ draw, repay, asset, ...options }: PreviewOptions): PreviewActs {
  const positions = (pairs: readonly Pair[]) =>
    pairs.map(([held, quantity]) => ({ asset: held, quantity }))
  const { deposit, withdraw, price, days } = options
  return {
    ...(draw !== undefined && { draw: { amount: draw, asset } }),
    ...(repay !== undefined && { repayment: { amount: repay, asset } }),
    ...(deposit && { deposit: positions(deposit) }),
    ...(withdraw && { withdrawal: positions(withdraw) }),
    ...(price && { prices: price.map(toPrice) }),
    ...(days !== undefined && { days }),
  }
}

/** The service refuses assets without a market. */
function toPrice([asset, price_usd]: Pair) {
  return { asset, price_usd } as NonNullable<PreviewActs['prices']>[number]
}

function reportLevels({ levels, ...now }: MarginLevels): Report {
  const table = reportList(
    levels,
    {
      line: (it) => it.line,
      'ltv above': (it) => it.ltv,
      reached: (it) => (it.reached ? 'yes' : 'no'),
      'fall in %': (it) => it.fall_percent,
      alone: (it) => it.prices.map(({ asset, price_usd }) => `${asset} at ${price_usd}`).join(', '),
      after: (it) => it.from,
    },
    'Nothing is owed that could be warned about.',
  )
  return { data: { ...now, levels }, text: [formatFields(now), table.text].join('\n\n') }
}

function reportPreview(preview: FacilityPreview): Report {
  const { refusals, warning, sale, events, ...rest } = preview
  const fields = {
    ...rest,
    refused: refusals.map(({ act, code }) => `${act} (${code})`).join(', '),
    warning: warning && `${warning.number}, tier ${warning.tier}, until ${warning.cure_deadline}`,
    cure_amount_usd: warning?.cure_amount_usd,
    or_add: warning?.cure_additions
      .map(({ asset, quantity, market_usd: usd }) => `${quantity} ${asset} (worth ${usd} USD)`)
      .join(' or '),
    sale: sale && `${sale.sale_usd} USD, then ${sale.debt_after_usd} USD are owed`,
    events: events.map(({ type }) => type).join(', '),
  }
  return { data: preview, text: formatFields(fields) }
}
