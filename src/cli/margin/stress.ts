import type { Command } from 'commander'
import { DEFAULT_MARGIN_TERMS, type MarginTerms } from '../../domain/margin/policy.ts'
import type { MarketSource, PriceShock } from '../../domain/margin/stress/scenario.ts'
import { stressBook } from '../../domain/margin/stress/stress.ts'
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
    .option('--policy <file>', "JSON of the margin terms that differ from the service's own")
    .action(async (options: StressOptions) => {
      const { terms, source } = readBook(io, options.policy)
      const shocks = options.prices ?? []
      const stress = await withSession(io, ({ db }) => stressBook(db, source, terms, shocks))
      printReport(io, options, reportStress(stress, shocks))
    })
}

export type Book = { today: MarginTerms; terms: MarginTerms; source: MarketSource }

/** The stack's own terms, those of the policy file, and where prices and time come from. */
export function readBook(io: CliIo, policyFile: string | undefined): Book {
  const config = io.loadConfig()
  const today = { ...DEFAULT_MARGIN_TERMS, policy: config.marginPolicy }
  return {
    today,
    terms: policyFile === undefined ? today : readPolicyFile(policyFile, config.marginPolicy),
    source: {
      prices: io.choosePrices(config),
      clockFor: createClockFor(config.stack, io.clock),
      isShared: config.stack === 'live',
    },
  }
}
