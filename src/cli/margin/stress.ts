import type { Command } from 'commander'
import type { Db } from '../../db/database.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import type { TermsAt } from '../../domain/margin/policy.ts'
import type { BookTerms } from '../../domain/margin/stress/book-terms.ts'
import type { MarketSource, PriceShock } from '../../domain/margin/stress/scenario.ts'
import { stressBook } from '../../domain/margin/stress/stress.ts'
import { createTermsAt } from '../../domain/margin/versions/terms-at.ts'
import { createClockFor } from '../../domain/tenants/tenant-clock.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from '../command/define-command.ts'
import { withSession } from '../command/session.ts'
import { readShocks } from './price-shocks.ts'
import { readPolicyFile } from './read-text.ts'
import { reportStress } from './stress-report.ts'

type StressOptions = CommonOptions & { prices?: PriceShock[]; policy?: string }

export function addStress(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'stress',
    'Compute what the live book comes to if prices move at once and stay: warnings by tier, escalations, sales, their costs, deficits. Reads one snapshot and changes nothing.',
    [
      'margin stress --prices BTC=-40%',
      'margin stress --prices BTC=-40%,ETH=-50%,USDC=0.97 --policy terms.json --json',
    ],
  )
    .option('--prices <moves>', 'moves of the last prices, or new ones in USD', readShocks)
    .option(
      '--policy <file>',
      'JSON of margin terms for all loans, where they differ from those in force',
    )
    .action(async (options: StressOptions) => {
      const shocks = options.prices ?? []
      const stress = await withSession(io, async ({ db }) => {
        const { terms, source } = await readBook(io, db, options.policy)
        return await stressBook(db, source, terms, shocks)
      })
      printReport(io, options, reportStress(stress, shocks))
    })
}

export type Book = { today: BookTerms; terms: BookTerms; source: MarketSource }

/** Each loan's own terms, those of the policy file, and where prices and time come from. */
export async function readBook(io: CliIo, db: Db, policyFile: string | undefined): Promise<Book> {
  const own = await readTermsAt(io)(db, io.clock())
  const today = { own }
  return {
    today,
    terms: policyFile === undefined ? today : { all: readPolicyFile(policyFile, own.marginPolicy) },
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
