import { formatTable } from '../../command-line/text.ts'
import { Refusal } from '../../core/errors.ts'
import type { Tx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { exportLedger, LEDGER_FORMATS } from '../../domain/facilities/books/export.ts'
import { balanceToJson, makeTrialBalance } from '../../domain/facilities/books/trial-balance.ts'
import { getFacility } from '../../domain/facilities/facilities.ts'
import { readStatement } from '../../domain/facilities/statements/statement.ts'
import {
  STATEMENT_COLUMNS,
  toStatementBody,
  toStatementRows,
} from '../../domain/facilities/statements/statement-document.ts'
import { CLOSE_MONTH } from '../../domain/operators/acts/book-acts.ts'
import { listTenants } from '../../domain/tenants/tenants.ts'
import { type CliCommand, change, list, read } from '../command/commands.ts'
import { requireYes } from '../command/confirm.ts'
import { MUST_REASON, TENANT, YES } from '../command/members.ts'
import { readId, readMonth, readTimestamp } from '../command/options.ts'
import { formatItems } from '../command/output.ts'
import { optional, required, withDefault } from '../command/parameters.ts'
import type { Session } from '../command/session.ts'

const LONGEST_SECONDS = 900

const inOneSnapshot = <Found>({ db }: Session, find: (tx: Tx) => Promise<Found>) =>
  inSnapshot(db, { seconds: LONGEST_SECONDS }, find)

const ONE_OR_ALL = optional('--tenant <id>', 'one tenant, ten_…; default all', readId('ten'))

export const BOOKS_COMMANDS: CliCommand[] = [
  list({
    name: 'books trial-balance',
    about:
      'Turnover and balance of each account and asset, of all that is booked or up to and including an instant. A balance is a debit where it is positive.',
    examples: [
      'books trial-balance',
      'books trial-balance --at 2026-10-31T23:59:59.999Z --by value --tenant ten_…',
    ],
    takes: {
      tenantId: ONE_OR_ALL,
      at: optional('--at <time>', 'default all that is booked', readTimestamp),
      by: withDefault(
        optional('--by <date>', 'which date decides', ['posting', 'value'] as const),
        'posting',
      ),
    },
    async list(session, asked) {
      const balances = await inOneSnapshot(session, (tx) => makeTrialBalance(tx, asked))
      return balances.map(balanceToJson)
    },
    columns: ['number', 'account', 'asset', 'debit', 'credit', 'balance'],
    empty: 'Nothing was booked.',
  }),
  read({
    name: 'books export',
    about:
      'Print the general ledger, as of one instant: every entry posted in the period. `hledger -f <file> balance` reads the journal.',
    examples: ['books export --format hledger > books.journal'],
    takes: {
      tenantId: ONE_OR_ALL,
      format: required('--format <format>', 'of the output', ['csv', 'hledger'] as const),
      from: optional('--from <time>', 'posted from then on', readTimestamp),
      to: optional('--to <time>', 'posted before', readTimestamp),
    },
    async read(session, { format, ...period }) {
      const write = (text: string) => session.io.writeOut(text)
      await inOneSnapshot(session, (tx) => exportLedger(tx, period, LEDGER_FORMATS[format], write))
      return undefined
    },
  }),
  read({
    name: 'books statement',
    about:
      'The movements and balances of a facility by value date, as its tenant reads them: at most 366 days, or 92 by day, and 10,000 lines.',
    examples: [
      'books statement fac_… --tenant ten_…',
      'books statement fac_… --tenant ten_… --interest day',
    ],
    takes: {
      facilityId: required('<facility>', 'the facility, fac_…'),
      tenantId: TENANT,
      from: optional('--from <time>', 'movements after it', readTimestamp),
      to: optional('--to <time>', 'movements until it; default now', readTimestamp),
      interest: withDefault(
        optional('--interest <lines>', 'before each movement, or also for each UTC day', [
          'period',
          'day',
        ] as const),
        'period',
      ),
    },
    async read(session, { facilityId, tenantId, from, to, interest }) {
      const terms = { interest, ...(from && { from }), ...(to && { to }) }
      const now = await session.clockFor(session.db, tenantId)
      const statement = await inOneSnapshot(session, async (tx) =>
        readStatement({ db: tx, now }, await getFacility(tx, tenantId, facilityId), terms),
      )
      const data = toStatementBody(statement)
      const columns = STATEMENT_COLUMNS.map((name) => name.toUpperCase())
      return { data, shown: formatTable([columns, ...toStatementRows(data)]) }
    },
  }),
  change({
    name: 'books close',
    about:
      'Close a month and every month before it: the database then refuses entries posted in them. Not before an hour after its end, nor while interest of it is not booked.',
    examples: [
      'books close 2026-10 --reason "agreed with the accountant"',
      'books close 2026-10 --tenant ten_… --reason "…" --yes',
    ],
    takes: {
      month: required('<month>', 'such as 2026-10', readMonth),
      yes: YES,
      tenantId: ONE_OR_ALL,
      reason: MUST_REASON,
    },
    async change(session, { month: start, yes, tenantId: only }) {
      const month = start.toISOString().slice(0, 7)
      const tenants = only ? [only] : (await listTenants(session.db)).map(({ id }) => id)
      const whose = only ?? `all ${tenants.length} tenants`
      const effect = `${month} and every month before it will be closed for ${whose}, and stay so.`
      await requireYes(session.io, { yes }, effect)
      const refusals: Refusal[] = []
      const items: { tenant_id: string; month: string; result: string }[] = []
      for (const tenantId of tenants) {
        const closing = session.actOrPropose(CLOSE_MONTH, { tenantId, month }, (isNew) => ({
          data: { result: isNew ? 'closed' : 'was closed before' },
        }))
        // One tenant's month that cannot be closed yet keeps no other open.
        const { data } = await closing.catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          refusals.push(error)
          return { data: { result: error.message } }
        })
        items.push({ tenant_id: tenantId, month, ...(data as { result: string }) })
      }
      const shown = items.length === 0 ? 'There are no tenants yet.' : formatItems(items)
      const [refusal] = refusals
      return { data: { items }, shown, ...(refusal && { refusal }) }
    },
  }),
]
