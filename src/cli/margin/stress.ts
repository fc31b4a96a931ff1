import { type Command, Option } from 'commander'
import type { Db } from '../../db/database.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import type { MarginPolicy, TermsAt } from '../../domain/margin/policy.ts'
import { type BookTerms, chooseTerms } from '../../domain/margin/stress/book-terms.ts'
import type { MarketSource, PriceShock } from '../../domain/margin/stress/scenario.ts'
import { stressBook } from '../../domain/margin/stress/stress.ts'
import { createTermsAt } from '../../domain/margin/versions/terms-at.ts'
import { createClockFor } from '../../domain/tenants/tenant-clock.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from '../command/define-command.ts'
import { readWholeNumber } from '../command/options.ts'
import { withSession } from '../command/session.ts'
import { readShocks } from './price-shocks.ts'
import { readPolicyFile } from './read-text.ts'
import { reportStress } from './stress-report.ts'

type StressOptions = CommonOptions & {
  prices?: PriceShock[]
  policy?: string
  policyVersion?: number
}

export function addStress(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'stress',
    'Compute what the live book comes to if prices move at once and stay: warnings by tier, escalations, sales, their costs, deficits. Reads one snapshot and changes nothing.',
    [
      'margin stress --prices BTC=-40%',
      'margin stress --prices BTC=-40%,ETH=-50%,USDC=0.97 --policy terms.json --json',
      'margin stress --prices BTC=-40% --policy-version 3',
    ],
  )
    .option('--prices <moves>', 'moves of the last prices, or new ones in USD', readShocks)
    .option(
      '--policy <file>',
      'JSON of margin terms for all loans, where they differ from those in force',
    )
    .addOption(policyVersion())
    .action(async (options: StressOptions) => {
      const shocks = options.prices ?? []
      const stress = await withSession(io, async ({ db }) => {
        const { terms, source } = await readBook(io, db, options.policy, options.policyVersion)
        return await stressBook(db, source, terms, shocks)
      })
      printReport(io, options, reportStress(stress, shocks))
    })
}

/** Of a stress and a preview. */
export function policyVersion(): Option {
  return new Option(
    '--policy-version <number>',
    'as if all loans were bound to this version',
  ).argParser(readWholeNumber(0, 999_999_999))
}

export type Book = { today: BookTerms; terms: BookTerms; source: MarketSource }

/** Each loan's own terms, those of the version and the policy file, and where prices and time come from. */
export async function readBook(
  io: CliIo,
  db: Db,
  file: string | undefined,
  version: number | undefined,
): Promise<Book> {
  const own = await readTermsAt(io)(db, io.clock())
  const change = file === undefined ? undefined : (base: MarginPolicy) => readPolicyFile(file, base)
  return {
    today: { own },
    terms: chooseTerms(own, version, change),
    source: marketSource(io),
  }
}

export function readTermsAt(io: CliIo): TermsAt {
  const own = { policy: DEFAULT_POLICY, marginPolicy: io.loadConfig().marginPolicy }
  return createTermsAt(own, io.clock)
}

export function marketSource(io: CliIo): MarketSource {
  const config = io.loadConfig()
  return {
    prices: io.choosePrices(config),
    clockFor: createClockFor(config.stack, io.clock),
    isShared: config.stack === 'live',
  }
}
