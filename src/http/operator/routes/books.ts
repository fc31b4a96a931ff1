import { z } from 'zod'
import { monthEnd, parseTimestamp } from '../../../core/time.ts'
import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import { pageClosedMonths } from '../../../domain/facilities/books/close-month.ts'
import { exportLedger, LEDGER_FORMATS } from '../../../domain/facilities/books/export.ts'
import {
  balanceToJson,
  makeTrialBalance,
  sumBalances,
} from '../../../domain/facilities/books/trial-balance.ts'
import {
  createFiles,
  MOST_BYTES,
  openManifestKey,
  readPack,
} from '../../../domain/month-end/pack.ts'
import { CLOSE_MONTH } from '../../../domain/operators/acts/book-acts.ts'
import {
  idFilter,
  idText,
  pageOf,
  textReadBy,
  timestamp,
  timestampInputLike,
  toPageBody,
} from '../../schemas/fields.ts'
import { actRoute } from '../act-route.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { createSingleRun } from '../single-run.ts'
import { tenantParams } from './administration/tenants.ts'
import { assertTenant } from './book.ts'

const MONTH_PATTERN = '^\\d{4}-(0[1-9]|1[0-2])$'

const monthInput = textReadBy(
  (text) =>
    new RegExp(MONTH_PATTERN).test(text) ? parseTimestamp(`${text}-01T00:00:00Z`) : undefined,
  () => ({ code: 'wrong_format', expected: 'Expected a month such as 2026-10.' }),
  z.string().meta({ pattern: MONTH_PATTERN, examples: ['2026-10'] }),
)

const monthText = z.string().meta({ pattern: MONTH_PATTERN })

const decimal = z.string().meta({ pattern: '^-?\\d+(\\.\\d+)?$' })

const balanceObject = z.strictObject({
  number: z.int(),
  account: z.string(),
  title: z.string(),
  type: z.enum(['asset', 'liability', 'income', 'expense']),
  asset: z.string().describe('Amounts are in its own unit'),
  debit: decimal,
  credit: decimal,
  balance: decimal.describe('A debit where it is positive'),
})

const balanceSchema = z
  .strictObject({
    at: timestamp.nullable().describe('The last instant that counts; null: all that is booked'),
    items: z.array(balanceObject).describe('In the order of the chart'),
    totals: z
      .array(z.strictObject({ asset: z.string(), debit: decimal, credit: decimal }))
      .describe('Of each asset; debit and credit are equal'),
  })
  .meta({
    id: 'TrialBalance',
    examples: [
      {
        at: '2026-10-31T23:59:59.999Z',
        items: [
          {
            ...{ number: 1100, account: 'loans_receivable', title: 'Loans receivable' },
            ...{ type: 'asset' as const, asset: 'USD' },
            ...{ debit: '10000.00', credit: '2500.00', balance: '7500.00' },
          },
        ],
        totals: [{ asset: 'USD', debit: '10000.00', credit: '10000.00' }],
      },
    ],
  })

const closedObject = z.strictObject({
  tenant_id: idText('ten'),
  closed_month: monthText.nullable().describe('The last one, and every month before; null: none'),
})

const CLOSED_EXAMPLE = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  closed_month: '2026-10',
}

const filesObject = z.strictObject({
  files: z.array(
    z.strictObject({ name: z.string(), text: z.string().describe('To be saved as it is') }),
  ),
})

const MANIFEST_EXAMPLE = {
  ...{ month: '2026-10', stack: 'live', made_at: '2026-11-02T08:00:00.000Z', closed: true },
  tenants: 1,
  files: [{ name: 'holds.csv', sha256: '9f86d081884c7d659a2feaa0c55ad015', bytes: 61, rows: 0 }],
}

const packSchema = filesObject
  .extend({
    manifest: z.strictObject({
      month: monthText,
      stack: z.string(),
      made_at: timestamp,
      closed: z.boolean().describe('The month takes no more entries, of every tenant'),
      tenants: z.int(),
      files: z.array(
        z.strictObject({ name: z.string(), sha256: z.string(), bytes: z.int(), rows: z.int() }),
      ),
    }),
  })
  .meta({
    id: 'MonthEndPack',
    examples: [
      { manifest: MANIFEST_EXAMPLE, files: [{ name: 'holds.csv', text: 'tenant_id,…\n' }] },
    ],
  })

const ofTenant = { tenant_id: idFilter('ten').describe('Default all') }

/** Each statement reads the whole journal. */
const PASS_SECONDS = 60

const BOUND = `At most ${MOST_BYTES / 2 ** 20} MB: beyond it the command line writes them.`

export function bookkeepingRoutes(app: OperatorApp, context: OperatorContext): void {
  const runAlone = createSingleRun(PASS_SECONDS)
  addTrialBalance(app, context, runAlone)
  addMonths(app, context)
  addExport(app, context, runAlone)
  addPack(app, context, runAlone)
}

type RunAlone = ReturnType<typeof createSingleRun>

function addTrialBalance(app: OperatorApp, { db }: OperatorContext, runAlone: RunAlone): void {
  app.get('/books/trial-balance', {
    id: 'getTrialBalance',
    summary: 'Read turnover and balance of each account and asset',
    tag: 'Books',
    querystring: z.strictObject({
      ...ofTenant,
      at: timestampInputLike('2026-10-31T23:59:59.999Z')
        .optional()
        .describe('The last instant that counts; default all that is booked'),
      by: z.enum(['posting', 'value']).default('posting').describe('Which date decides'),
    }),
    response: { 200: balanceSchema },
    errors: ['not_found', 'rate_limited'],
    async handler(request) {
      const { tenant_id: tenantId, at, by } = request.query
      await assertTenant(db, tenantId)
      const balances = await runAlone(() =>
        inSnapshot(db, { seconds: PASS_SECONDS }, (tx) =>
          makeTrialBalance(tx, { tenantId, at, by }),
        ),
      )
      return {
        at: at?.toISOString() ?? null,
        items: balances.map(balanceToJson),
        totals: sumBalances(balances),
      }
    },
  })
}

function addMonths(app: OperatorApp, context: OperatorContext): void {
  const { db, cursors } = context
  app.get('/books/months', {
    id: 'listClosedMonths',
    summary: 'List the last closed month of each tenant, newest tenant first',
    tag: 'Books',
    querystring: z.strictObject({ ...deskPageQuery, ...ofTenant }),
    response: { 200: pageOf(closedObject, 'ClosedMonthPage', CLOSED_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenant_id: tenantId, ...page } = request.query
      const found = await pageClosedMonths(db, tenantId, { request: page, cursors })
      return toPageBody(found, (one) => ({
        ...{ tenant_id: one.tenantId, closed_month: one.month ?? null },
      }))
    },
  })

  actRoute(app, context, '/tenants/:tenant_id/books/close', {
    id: 'closeMonth',
    summary: 'Close a month of a tenant, and every month before it',
    description:
      "For good: the database takes no more entries in them. Not before an hour after the month's end by the tenant's clock, nor while its interest is not booked.",
    tag: 'Books',
    params: tenantParams,
    body: { month: monthInput },
    example: { month: '2026-10', reason: 'agreed with the accountant' },
    guarded: CLOSE_MONTH,
    askedOf: ({ tenantId, month }) => ({ tenantId, month: nameOf(month) }),
  })
}

const nameOf = (month: Date) => month.toISOString().slice(0, 7)

function addExport(app: OperatorApp, { db }: OperatorContext, runAlone: RunAlone): void {
  app.get('/books/export', {
    id: 'exportBooks',
    summary: 'Read the general ledger of a month, as of one instant',
    description: `Every entry that is posted in the month, as one file. ${BOUND}`,
    tag: 'Books',
    querystring: z.strictObject({
      ...ofTenant,
      month: monthInput,
      format: z.enum(['csv', 'hledger']).default('csv'),
    }),
    response: {
      200: filesObject.meta({
        id: 'LedgerFile',
        examples: [{ files: [{ name: 'ledger-2026-10.csv', text: 'tenant_id,…\n' }] }],
      }),
    },
    errors: ['not_found', 'rate_limited'],
    async handler(request) {
      const { tenant_id: tenantId, month, format } = request.query
      await assertTenant(db, tenantId)
      const period = { tenantId, from: month, to: monthEnd(month) }
      const name = `ledger-${nameOf(month)}.${format === 'csv' ? 'csv' : 'journal'}`
      return await runAlone(() =>
        inSnapshot(db, { seconds: PASS_SECONDS }, async (tx) => {
          const files = createFiles()
          const write = (text: string) => files.write(name, text)
          await exportLedger(tx, period, LEDGER_FORMATS[format], write)
          return { files: files.list() }
        }),
      )
    },
  })
}

function addPack(app: OperatorApp, context: OperatorContext, runAlone: RunAlone): void {
  const { db, config, prices, termsAt, sealer, clock } = context
  const source = { prices, stack: config.stack, termsAt }
  app.get('/books/month-end', {
    id: 'getMonthEnd',
    summary: 'Make what auditors ask for at the end of a month',
    description: `Eight files of one snapshot, with a manifest of their hashes that the receipt key signs. Refuses when a file does not agree with the trial balance to the cent. ${BOUND}`,
    tag: 'Books',
    querystring: z.strictObject({ ...ofTenant, month: monthInput }),
    response: { 200: packSchema },
    errors: ['not_found', 'rate_limited'],
    async handler(request) {
      const { tenant_id: tenantId, month } = request.query
      await assertTenant(db, tenantId)
      return await runAlone(async () => {
        const key = await openManifestKey(db, sealer)
        const asked = { month, tenantId, now: clock(), key, seconds: PASS_SECONDS }
        return await readPack(db, source, asked)
      })
    },
  })
}
