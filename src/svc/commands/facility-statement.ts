import type { Command } from 'commander'
import { joinPages } from '../../client/listing.ts'
import type { Payoff, Statement, StatementQuery } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { type CommonOptions, defineCommand, openSession, runCommand } from '../define-command.ts'
import { formatFields, reportList } from '../output.ts'
import type { SvcIo } from '../svc-io.ts'

type StatementOptions = CommonOptions & { from?: string; to?: string; daily?: true; csv?: true }

export function addStatementCommands(group: Command, io: SvcIo): void {
  defineCommand(group, 'statement <facility_id>', 'read every movement and the balances', [
    'facility statement fac_…',
    'facility statement fac_… --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z --csv',
  ])
    .option('--from <timestamp>', 'movements after it; by default from the application on')
    .option('--to <timestamp>', 'movements until then; by default until now')
    .option('--daily', 'the interest of each UTC day')
    .option('--csv', 'print the table of the service as it comes')
    .action(async (id: string, options: StatementOptions) => {
      const query = toQuery(options)
      if (options.csv) {
        io.writeOut(await openSession(io, options).client.getStatementCsv(id, query))
        return
      }
      await runCommand(io, options, async ({ client }) =>
        reportStatement(await joinPages(client.getStatement(id, { ...query, limit: 500 }))),
      )
    })

  defineCommand(group, 'payoff <facility_id>', 'read what closes a facility at an instant', [
    'facility payoff fac_…',
    'facility payoff fac_… --at 2026-12-20T12:00:00Z',
  ])
    .option('--at <timestamp>', 'by default now')
    .action((id: string, options: CommonOptions & { at?: string }) =>
      runCommand(io, options, async ({ client }) => {
        const { at } = options
        return reportPayoff(await client.getPayoff(id, at === undefined ? {} : { at }))
      }),
    )
}

function toQuery({ from, to, daily }: StatementOptions): StatementQuery {
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(daily && { interest: 'day' as const }),
  }
}

function reportStatement(statement: Statement): Report {
  const { from, to, opening, lines, closing } = statement
  const table = reportList(
    lines,
    {
      'value date': (it) => it.value_date,
      type: (it) => it.type,
      about: (it) => it.draw_id ?? it.repayment_id ?? it.margin_call_number,
      principal: (it) => it.principal,
      interest: (it) => it.interest,
      balance: (it) => it.balance.total,
    },
    'No movements.',
  )
  const text = [
    formatFields({ from, to, opening: opening.total }),
    table.text,
    formatFields({ closing: closing.total }),
  ]
  return { data: statement, text: text.join('\n\n') }
}

function reportPayoff(payoff: Payoff): Report {
  return { data: payoff, text: formatFields(payoff) }
}
