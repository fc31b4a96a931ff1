import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatUsd } from '../../src/core/money.ts'
import { addMs, DAY_MS, HOUR_MS, monthEnd, monthStart } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { closeMonth } from '../../src/domain/facilities/books/close-month.ts'
import { hledgerAccount, LEDGER_FORMATS } from '../../src/domain/facilities/books/export.ts'
import { runHledger } from '../support/hledger.ts'
import { houseForFile } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
  draw,
  pass,
  pushPortfolio,
  read,
  repay,
  settle,
  usd,
  usdc,
} from '../support/lending/lending.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { untilOneWaits } from '../support/stores/waiting-sessions.ts'
import { run } from './database-cli.ts'

type Item = { account: string; asset: string; debit: string; credit: string; balance: string }

const lending = houseForFile()
let facilityId: string
/** The end of the month in which all began. */
let end: Date
const env = () => ({ DATABASE_URL: lending.databaseUrl, STACK: 'sandbox' })

beforeAll(async () => {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  facilityId = id
  end = monthEnd(lending.now())
  lending.market.set('USDC', '1.002')
  await draw(lending, id, usdc(1_000_000_001n))
  await settle(lending)
  await pass(lending, end.getTime() - lending.now().getTime())
  await pass(lending, 5 * DAY_MS)
  lending.market.set('USDC', '0.996')
  await repay(lending, id, usdc(2_000_005_000n))
  lending.received.set('bitcoin', { asset: 'BTC', units: 5n })
  await repay(lending, id, usd(1_00n), 'bitcoin')
  await settle(lending)
  await pushPortfolio(lending, borrowerId)
  await repay(lending, id, usd(20_000_00n))
  await settle(lending)
})

const books = (args: string) =>
  run(['books', ...args.split(' ')], { env: env(), now: lending.now() })

const refuse = async (args: string, sentence: string) =>
  expect(await books(args)).toMatchObject({
    ...{ exitCode: 1, error: expect.stringContaining(sentence) },
  })

/** As a facility of which a cent has borne interest since an hour before the end of the month. */
const leaveUnbooked = (isUnbooked: boolean) =>
  sql`UPDATE facilities SET principal_cents = ${isUnbooked ? 1 : 0},
    accrued_at = ${isUnbooked ? addMs(end, -HOUR_MS) : lending.now()}
    WHERE facility_id = ${facilityId}`.execute(lending.db)

async function balanceAt(args = ''): Promise<Item[]> {
  const { out, error } = await books(`trial-balance --json --tenant ${lending.tenantId}${args}`)
  expect(error).toBe('')
  return JSON.parse(out).items
}

describe('the trial balance', () => {
  test('every asset sums to zero, and the accounts show what has happened', async () => {
    const items = await balanceAt()
    const sums = new Map<string, number>()
    for (const { asset, balance } of items) {
      sums.set(asset, (sums.get(asset) ?? 0) + Number(balance))
    }
    for (const [, sum] of sums) expect(Math.abs(sum)).toBeLessThan(1e-6)
    const of = (account: string, asset = 'USD') =>
      items.find((one) => one.account === account && one.asset === asset)
    // 1,000.000001 at 1.002 is 1,002.01 of debt, carried at 1,000.00.
    expect(of('loans_receivable')).toMatchObject({ debit: '11002.01', balance: '0.00' })
    expect(of('interest_receivable')).toMatchObject({ balance: '0.00' })
    expect(of('suspense', 'BTC')).toMatchObject({ debit: '0.00000005', balance: '0.00000000' })
    expect(Number(of('interest_income')?.balance)).toBeLessThan(0)
  })

  test('a balance is as of the instant, by posting date or by value date', async () => {
    const until = addMs(end, -1).toISOString()
    const items = await balanceAt(` --at ${until}`)
    expect(items.find(({ account }) => account === 'loans_receivable')?.balance).toBe('11002.01')
    const { rows } = await sql<{ cents: bigint }>`
      SELECT sum(amount) AS cents FROM journal_lines
      WHERE entry_id LIKE 'interest/____-__' AND account = 'interest_receivable'`.execute(
      lending.db,
    )
    const [, interest] = items.filter(({ account }) => account.startsWith('interest'))
    expect(rows[0]?.cents).toBeGreaterThan(0n)
    expect(Number(interest?.credit)).toBeGreaterThan(Number(rows[0]?.cents) / 100 - 0.005)
    expect(await balanceAt(` --at ${until} --by value`)).toEqual(items)
  })
})

describe('the export', () => {
  test('hledger finds the journal balanced and all its names declared, with the balances of the trial balance', async () => {
    const { out, exitCode } = await books('export --format hledger')
    expect(exitCode).toBe(0)
    expect(runHledger(out, ['check', '--strict'])).toBe('')
    const flat = 'balance --flat --empty --no-total -O csv --layout bare'
    const csv = runHledger(out, flat.split(' '))
    const found = csv
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.replaceAll('"', '').split(','))
      .map(([account, asset, balance]) => [account, asset, Number(balance)])
      .filter(([, , balance]) => balance !== 0)
    const ours = (await balanceAt())
      .map(({ account, asset, balance }) => [hledgerAccount(account), asset, Number(balance)])
      .filter(([, , balance]) => balance !== 0)
    expect(found.length).toBeGreaterThan(5)
    expect(found.map(String).sort()).toEqual(ours.map(String).sort())
  })

  test('hledger reads an asset with a digit in its name', () => {
    const at = new Date('2026-11-20T12:00:00Z')
    const { head, declare, show } = LEDGER_FORMATS.hledger
    const entry = { tenant_id: 'ten_1', facility_id: 'fac_1', entry_id: 'misdelivery/1' }
    const lines = { accounts: ['wallet', 'suspense'], assets: ['1INCH', '1INCH'] }
    const posted = { kind: 'misdelivery', amounts: ['5', '-5'], value_at: at, booked_at: at }
    const journal = head + declare('1INCH') + show({ ...entry, ...lines, ...posted })
    expect(runHledger(journal, ['check', '--strict'])).toBe('')
  })

  test('hledger refuses a journal of which one line was left out', async () => {
    const { out } = await books('export --format hledger')
    const short = out.replace(/\n {4}assets:bank .*/, '')
    expect(short).not.toBe(out)
    expect(() => runHledger(short, ['check', '--strict'])).toThrow(/unbalanced|balance/i)
  })

  test('the CSV has one row a line, with both dates, and only of the period', async () => {
    const { out } = await books('export --format csv')
    const [head, ...rows] = out.trim().split('\n')
    expect(head).toBe(
      'tenant_id,facility_id,entry_id,kind,line,number,account,asset,debit,credit,value_date,posting_date',
    )
    const { rows: lines } = await sql<{ count: bigint }>`
      SELECT count(*) AS count FROM journal_lines`.execute(lending.db)
    expect(BigInt(rows.length)).toBe(lines[0]?.count)
    expect(rows.find((row) => row.includes('draw/'))).toMatch(
      /^ten_\w+,fac_\w+,draw\/drw_\w+,draw,1,1100,loans_receivable,USD,1\d+\.\d\d,,20\d\d-/,
    )
    const { out: early } = await books(`export --format csv --to ${end.toISOString()}`)
    const { out: late } = await books(`export --format csv --from ${end.toISOString()}`)
    const count = (text: string) => text.trim().split('\n').length - 1
    expect(count(early) + count(late)).toBe(rows.length)
    expect(count(late)).toBeGreaterThan(0)
  })
})

describe('the statement of a facility', () => {
  const statement = (args = '', id = facilityId) =>
    books(`statement ${id} --tenant ${lending.tenantId}${args}`)

  test('its lines lead from the opening to the closing balance, which is the debt', async () => {
    const { out, exitCode } = await statement(' --json')
    expect(exitCode).toBe(0)
    const { opening, lines, closing } = JSON.parse(out)
    const cents = (text: string) => BigInt(text.replace('.', ''))
    const sum = lines.reduce(
      (total: bigint, line: { principal: string; interest: string }) =>
        total + cents(line.principal) + cents(line.interest),
      cents(opening.total),
    )
    expect(sum).toBe(cents(closing.total))
    const { debt } = await read(lending, facilityId)
    expect(closing).toMatchObject({ principal: formatUsd(debt.principalCents) })
    expect(lines.map(({ type }: { type: string }) => type)).toContain('draw')
    const { out: text } = await statement(' --interest day')
    expect(text).toMatch(/^VALUE_DATE.*\n.* opening .*\n/)
    expect(text.split('\n').length).toBeGreaterThan(lines.length + 3)
  })

  test('a facility of another tenant, an unknown one and a period too long are refused by name', async () => {
    const of = `--tenant ${lending.tenantId}`
    await refuse(`statement fac_01k9x4m2q8e0tb7f2v5j6h8n3c ${of}`, 'There is no such facility')
    const long = `statement ${facilityId} ${of} --from 2001-01-01T00:00:00Z`
    await refuse(long, 'at most 366 days')
    expect((await books(`statement ${facilityId}`)).exitCode).toBe(2)
  })
})

describe('the end of a month', () => {
  const agreed = '--reason agreed --yes'
  const closing = () => `close ${addMs(end, -1).toISOString().slice(0, 7)} ${agreed}`

  test('a month is not closed before it has ended, nor while its interest is not booked, which keeps no other tenant’s open', async () => {
    const next = monthEnd(lending.now()).toISOString().slice(0, 7)
    await refuse(`close ${next} ${agreed}`, 'cannot be closed before')
    expect((await books(`close 2026-13 ${agreed}`)).exitCode).toBe(2)
    const other = await openTenant(lending.db, lending.now())
    await leaveUnbooked(true)
    const { out, error, exitCode } = await books(`${closing()} --json`)
    await leaveUnbooked(false)
    expect([exitCode, error]).toEqual([1, expect.stringContaining('is not booked yet')])
    expect(JSON.parse(out).items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tenant_id: other, result: 'closed' }),
        expect.objectContaining({
          tenant_id: lending.tenantId,
          result: expect.stringContaining('is not booked yet'),
        }),
      ]),
    )
  })

  test('a month is closed after a yes alone, and with a reason, which is kept', async () => {
    const [close = '', month = ''] = closing().split(' ')
    const command = [close, month, '--tenant', lending.tenantId]
    const ask = (answer: string, more = ['--reason', 'agreed']) => {
      const asked: string[] = []
      const answering = async (question: string) => {
        asked.push(question)
        return answer
      }
      const options = { env: env(), now: lending.now(), ask: answering }
      return run(['books', ...command, ...more], options).then((ended) => ({ ...ended, asked }))
    }
    const countClosed = async () =>
      (
        await sql`SELECT FROM closed_months
      WHERE tenant_id = ${lending.tenantId}`.execute(lending.db)
      ).rows.length
    const before = await countClosed()
    await refuse(`${command.join(' ')} --reason agreed`, 'Nobody can be asked here: give --yes.')
    expect(await ask('yes', [])).toMatchObject({ exitCode: 2, asked: [] })
    expect(await ask('y')).toMatchObject({ exitCode: 1, error: 'Nothing was changed.\n' })
    expect(await countClosed()).toBe(before)
    const { exitCode, asked } = await ask('yes')
    expect(exitCode).toBe(0)
    expect(asked).toEqual([
      `${month} and every month before it will be closed for ${lending.tenantId}, and stay so. Type yes to do it: `,
    ])
    expect(await countClosed()).toBe(before + 1)
    const { rows } = await sql<{ reason: string }>`
      SELECT reason FROM operator_actions WHERE action = 'books.close'`.execute(lending.db)
    expect(rows.at(-1)).toEqual({ reason: 'agreed' })
    await sql`DELETE FROM closed_months`.execute(lending.db)
  })

  test('a month may be closed from an hour after its end on, to the millisecond', async () => {
    const close = (now: Date) =>
      inTransaction(lending.db, (tx) =>
        closeMonth({ tx, tenantId: lending.tenantId, now }, monthStart(addMs(end, -1))),
      )
    const opens = addMs(end, HOUR_MS)
    await expect(close(addMs(opens, -1))).rejects.toThrow(/cannot be closed before/)
    expect(await close(opens)).toBe(true)
    await sql`DELETE FROM closed_months`.execute(lending.db)
  })

  test('a closed month takes no entry, also under the name of its table, and its balances stay', async () => {
    const before = await balanceAt(` --at ${addMs(end, -1).toISOString()}`)
    expect((await books(closing())).out).toContain('closed')
    expect((await books(closing())).out).toContain('was closed before')
    const { tenantId, db } = lending
    const { rows } = await sql<{ name: string }>`
      SELECT DISTINCT tableoid::regclass::text AS name FROM journal`.execute(db)
    for (const table of ['journal', ...rows.map(({ name }) => name)]) {
      for (const postedAt of [addMs(end, -1), addMs(end, -400 * DAY_MS)]) {
        const late = sql`
          WITH key AS (INSERT INTO journal_entries VALUES (${tenantId}, ${facilityId}, 'late/1'))
          INSERT INTO ${sql.table(table)} (tenant_id, facility_id, entry_id, kind, accounts, assets,
            amounts, value_at, booked_at)
          VALUES (${tenantId}, ${facilityId}, 'late/1', 'late', '{bank,suspense}', '{USD,USD}',
            '{1,-1}', ${postedAt}, ${postedAt})`
        await expect(late.execute(db)).rejects.toThrow(/a closed month takes no entry/)
      }
    }
    // Money valued in the closed month is posted in the open one.
    await repay(lending, facilityId, usd(5_00n))
    await settle(lending)
    expect(await balanceAt(` --at ${addMs(end, -1).toISOString()}`)).toEqual(before)
  })

  test('an entry under way holds the closing until it has committed', async () => {
    const { tenantId, db } = lending
    const month = addMs(end, -1).toISOString().slice(0, 7)
    await sql`DELETE FROM closed_months`.execute(db)
    const { promise: goOn, resolve: commit } = Promise.withResolvers<void>()
    const { promise: booked, resolve: isBooked } = Promise.withResolvers<void>()
    const entry = inTransaction(db, async (tx) => {
      await sql`
        WITH key AS (INSERT INTO journal_entries VALUES (${tenantId}, ${facilityId}, 'slow/1'))
        INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts,
          value_at, booked_at)
        VALUES (${tenantId}, ${facilityId}, 'slow/1', 'slow', '{bank,suspense}', '{USD,USD}', '{1,-1}',
          ${addMs(end, -1)}, ${addMs(end, -1)})`.execute(tx)
      isBooked()
      await goOn
    })
    await booked
    let isClosed = false
    const closing = books(`close ${month} ${agreed}`).then(() => {
      isClosed = true
    })
    await untilOneWaits(db)
    expect(isClosed).toBe(false)
    commit()
    await Promise.all([entry, closing])
    expect(isClosed).toBe(true)
  })
})
