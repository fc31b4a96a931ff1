import type { MarginPolicy } from '../../domain/margin/policy.ts'
import { type BookTerms, chooseTerms } from '../../domain/margin/stress/book-terms.ts'
import type { StressSums } from '../../domain/margin/stress/group-sums.ts'
import type { MarketSource } from '../../domain/margin/stress/scenario.ts'
import { stressBook } from '../../domain/margin/stress/stress.ts'
import { stressToJson } from '../../domain/margin/stress/stress-json.ts'
import { type CliCommand, read } from '../command/commands.ts'
import { readWholeNumber } from '../command/options.ts'
import { formatAnswer, formatFirst, formatItems } from '../command/output.ts'
import { optional } from '../command/parameters.ts'
import type { Session } from '../command/session.ts'
import { readShocks } from './price-shocks.ts'
import { readPolicyFile } from './read-text.ts'

/** People are shown these members of each group of a stress. */
const GROUP_COLUMNS = [
  ...['facilities', 'warned_by_tier.1', 'warned_by_tier.2', 'warned_by_tier.3'],
  ...['escalated_as_critical', 'escalated_by_deadline', 'sold_at_once.gross_usd'],
  ...['sold_at_once.deficit_usd', 'if_uncured.deficit_usd'],
]

export const POLICY_VERSION = optional(
  '--policy-version <number>',
  'as if all loans were bound to this version',
  readWholeNumber(0, 999_999_999),
)

export const STRESS_COMMANDS: CliCommand[] = [
  read({
    name: 'margin stress',
    about:
      'Compute what the live book comes to if prices move at once and stay: warnings by tier, escalations, sales, their costs, deficits. Reads one snapshot and changes nothing.',
    examples: [
      'margin stress --prices BTC=-40%',
      'margin stress --prices BTC=-40%,ETH=-50%,USDC=0.97 --policy terms.json --json',
      'margin stress --prices BTC=-40% --policy-version 3',
    ],
    takes: {
      shocks: optional(
        '--prices <moves>',
        'moves of the last prices, or new ones in USD',
        readShocks,
      ),
      file: optional(
        '--policy <file>',
        'JSON of margin terms for all loans, where they differ from those in force',
      ),
      version: POLICY_VERSION,
    },
    async read(session, { shocks = [], ...given }) {
      const { terms, source } = await chooseBook(session, given)
      const stress = await stressBook(session.db, source, terms, shocks)
      const data = stressToJson(stress, shocks)
      const { prices, total, main_collateral: assets, sold, sold_if_uncured: later } = data
      const byTenant = new Map([...stress.byTenant].sort(byLoss))
      const { tenants: worstFirst } = stressToJson({ ...stress, byTenant }, shocks)
      const tables = [
        formatAnswer({ prices, ...total }),
        formatFirst(worstFirst, ['tenant_id', ...GROUP_COLUMNS]),
        formatItems(assets, ['asset', ...GROUP_COLUMNS]),
        formatAnswer({ sold, sold_if_uncured: later }),
      ]
      return { data, shown: tables.join('\n\n') }
    },
  }),
]

type Book = { today: BookTerms; terms: BookTerms; source: MarketSource }

/** Each loan's own terms, those of the version and the policy file, and where prices and time come from. */
export async function chooseBook(
  session: Session,
  { file, version }: { file: string | undefined; version: number | undefined },
): Promise<Book> {
  const own = await session.termsAt(session.db, session.now)
  const change = file === undefined ? undefined : (base: MarginPolicy) => readPolicyFile(file, base)
  return { today: { own }, terms: chooseTerms(own, version, change), source: session }
}

/** Those that lose most come first. */
function byLoss([, a]: [string, StressSums], [, b]: [string, StressSums]): number {
  const keys = (sums: StressSums) => [
    sums.sales.deficitCents + sums.ifUncured.deficitCents,
    sums.sales.grossCents + sums.ifUncured.grossCents,
    sums.debtCents,
  ]
  const [ofA, ofB] = [keys(a), keys(b)]
  const at = ofA.findIndex((key, index) => key !== ofB[index])
  return at === -1 ? 0 : (ofA[at] ?? 0n) > (ofB[at] ?? 0n) ? -1 : 1
}
