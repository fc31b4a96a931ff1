import type { Command } from 'commander'
import { FaultReported } from '../command-line/program.ts'
import { checkLedger } from '../domain/facilities/ledger/check-ledger.ts'
import type { CliIo } from './command/cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from './command/define-command.ts'
import { reportNamed } from './command/named.ts'
import { withSession } from './command/session.ts'

export function addLedgerCommands(program: Command, io: CliIo): void {
  const group = program.command('ledger').description('The books of every facility.')
  defineCommand(
    group,
    'check',
    'Recompute every balance from the journal and print each disagreement. Exits with code 1 when there is one. Amounts are in the smallest unit of their asset. Safe while the service runs.',
    ['ledger check', 'ledger check --json'],
  ).action(async (options: CommonOptions) => {
    const { report, isFound } = await withSession(io, async ({ db }) => {
      const items = (await checkLedger(db)).map((one) => ({
        tenant_id: one.tenantId,
        facility_id: one.facilityId,
        balance: one.balance,
        asset: one.asset,
        stored: String(one.stored),
        recomputed: String(one.recomputed),
      }))
      const table = {
        columns: ['tenant', 'facility', 'balance', 'asset', 'stored', 'recomputed'],
        rows: items.map((item) => Object.values(item)),
        empty: 'No disagreement.',
      }
      return { report: await reportNamed(db, items, table), isFound: items.length > 0 }
    })
    printReport(io, options, report)
    if (isFound) throw new FaultReported()
  })
}
