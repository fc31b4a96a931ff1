import { type Command, Option } from 'commander'
import { Refusal } from '../core/errors.ts'
import { inSnapshot } from '../db/transactions/snapshot.ts'
import { exportLedger, LEDGER_FORMATS } from '../domain/facilities/books/export.ts'
import {
  type BookDate,
  balanceToJson,
  makeTrialBalance,
} from '../domain/facilities/books/trial-balance.ts'
import { getFacility } from '../domain/facilities/facilities.ts'
import type { InterestLines } from '../domain/facilities/statements/fold-statement.ts'
import { readStatement } from '../domain/facilities/statements/statement.ts'
import {
  STATEMENT_COLUMNS,
  toStatementBody,
  toStatementRows,
} from '../domain/facilities/statements/statement-document.ts'
import { CLOSE_MONTH } from '../domain/operators/acts/book-acts.ts'
import { listTenants } from '../domain/tenants/tenants.ts'
import {
  type ChangeOptions,
  type ChangeSession,
  defineChange,
  resultOf,
  runChange,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { offerYes, requireYes, type Yes } from './command/confirm.ts'
import { type CommonOptions, defineCommand, runCommand } from './command/define-command.ts'
import { readId, readMonth, readTimestamp } from './command/options.ts'
import { formatRows, reportList } from './command/output.ts'
import { assertTenant, readInstant, type Session, withSession } from './command/session.ts'
import { addMonthEnd } from './operations/month-end.ts'

type OfTenant = { tenant?: string }

export function addBooksCommands(program: Command, io: CliIo): void {
  const group = program
    .command('books')
    .description('The general ledger: balances, exports, the end of a month.')
  addTrialBalance(group, io)
  addExport(group, io)
  addStatement(group, io)
  addClose(group, io)
  addMonthEnd(group, io)
}

const ofTenant = (command: Command) =>
  command.option('--tenant <id>', 'one tenant, ten_…; default all', readId('ten'))

function addTrialBalance(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'trial-balance',
    'Turnover and balance of each account and asset, of all that is booked or up to and including an instant. A balance is a debit where it is positive.',
    [
      'books trial-balance',
      'books trial-balance --at 2026-10-31T23:59:59.999Z --by value --tenant ten_…',
    ],
  )
  ofTenant(command)
    .option('--at <time>', 'default all that is booked', readTimestamp)
    .addOption(
      new Option('--by <date>', 'which date decides')
        .choices(['posting', 'value'])
        .default('posting'),
    )
    .action(async (options: CommonOptions & OfTenant & { at?: Date; by: BookDate }) => {
      await runCommand(io, options, async (session) => {
        const tenantId = await tenantOf(session, options)
        const { at, by } = options
        const balances = await inSnapshot(session.db, { seconds: LONGEST_SECONDS }, (tx) =>
          makeTrialBalance(tx, { tenantId, at, by }),
        )
        const items = balances.map(balanceToJson)
        return reportList(items, {
          columns: ['number', 'account', 'asset', 'debit', 'credit', 'balance'],
          rows: items.map((item) => [
            String(item.number),
            item.account,
            item.asset,
            item.debit,
            item.credit,
            item.balance,
          ]),
          empty: 'Nothing was booked.',
        })
      })
    })
}

const LONGEST_SECONDS = 900

function addExport(group: Command, io: CliIo): void {
  const command = group
    .command('export')
    .description(
      'Print the general ledger, as of one instant: every entry posted in the period. `hledger -f <file> balance` reads the journal.',
    )
  ofTenant(command)
    .addOption(new Option('--format <format>').choices(['csv', 'hledger']).makeOptionMandatory())
    .option('--from <time>', 'posted from then on', readTimestamp)
    .option('--to <time>', 'posted before', readTimestamp)
    .action(async (options: OfTenant & { format: 'csv' | 'hledger'; from?: Date; to?: Date }) => {
      const format = LEDGER_FORMATS[options.format]
      await withSession(io, async (session) => {
        const tenantId = await tenantOf(session, options)
        const period = { tenantId, from: options.from, to: options.to }
        await inSnapshot(session.db, { seconds: LONGEST_SECONDS }, (tx) =>
          exportLedger(tx, period, format, (text) => io.writeOut(text)),
        )
      })
    })
}

type StatementOptions = CommonOptions & {
  tenant: string
  from?: Date
  to?: Date
  interest: InterestLines
}

function addStatement(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'statement <facility>',
    'The movements and balances of a facility by value date, as its tenant reads them: at most 366 days, or 92 by day, and 10,000 lines.',
    ['books statement fac_… --tenant ten_…', 'books statement fac_… --tenant ten_… --interest day'],
  )
    .requiredOption('--tenant <id>', 'ten_…', readId('ten'))
    .option('--from <time>', 'movements after it', readTimestamp)
    .option('--to <time>', 'movements until it; default now', readTimestamp)
    .addOption(
      new Option('--interest <lines>', 'before each movement, or also for each UTC day')
        .choices(['period', 'day'])
        .default('period'),
    )
    .action(async (facilityId: string, options: StatementOptions) => {
      const { tenant: tenantId, from, to, interest } = options
      const terms = { interest, ...(from && { from }), ...(to && { to }) }
      await runCommand(io, options, async (session) => {
        const { now } = await readInstant(session, tenantId)
        const statement = await inSnapshot(session.db, { seconds: LONGEST_SECONDS }, async (tx) =>
          readStatement({ db: tx, now }, await getFacility(tx, tenantId, facilityId), terms),
        )
        const data = toStatementBody(statement)
        return { data, text: formatRows(STATEMENT_COLUMNS, toStatementRows(data)) }
      })
    })
}

function addClose(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'close <month>',
    'Close a month and every month before it: the database then refuses entries posted in them. Not before an hour after its end, nor while interest of it is not booked.',
    [
      'books close 2026-10 --reason "agreed with the accountant"',
      'books close 2026-10 --tenant ten_… --reason "…" --yes',
    ],
  )
  ofTenant(offerYes(command))
    .requiredOption('--reason <text>', 'why, for the record')
    .action(async (text: string, options: ChangeOptions & OfTenant & Yes) => {
      readMonth(text)
      const refusals: Refusal[] = []
      await runChange(io, options, async (session) => {
        const only = await tenantOf(session, options)
        const tenants = only ? [only] : (await listTenants(session.db)).map(({ id }) => id)
        const whose = only ?? `all ${tenants.length} tenants`
        await requireYes(
          io,
          options,
          `${text} and every month before it will be closed for ${whose}, and stay so.`,
        )
        const rows: { tenantId: string; result: string }[] = []
        for (const tenantId of tenants) {
          const result = await closeFor(session, tenantId, text, options.reason)
          // One tenant's month that cannot be closed yet keeps no other open.
          if (result instanceof Refusal) refusals.push(result)
          rows.push({ tenantId, result: result instanceof Refusal ? result.message : result })
        }
        return reportList(
          rows.map(({ tenantId, result }) => ({ tenant_id: tenantId, month: text, result })),
          {
            columns: ['tenant', 'month', 'result'],
            rows: rows.map(({ tenantId, result }) => [tenantId, text, result]),
            empty: 'There are no tenants yet.',
          },
        )
      })
      const [refusal] = refusals
      if (refusal) throw refusal
    })
}

async function closeFor(
  session: ChangeSession,
  tenantId: string,
  month: string,
  reason: string | undefined,
): Promise<'closed' | 'was closed before' | Refusal> {
  try {
    const outcome = await session.changeOrPropose(CLOSE_MONTH, { tenantId, month }, reason)
    return resultOf(outcome) ? 'closed' : 'was closed before'
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function tenantOf(session: Session, { tenant }: OfTenant): Promise<string | undefined> {
  if (tenant !== undefined) await assertTenant(session, tenant)
  return tenant
}
