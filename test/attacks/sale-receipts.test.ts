import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '../../src/client/receipts/receipt.ts'
import { verifyReceipt } from '../../src/client/receipts/verify-receipt.ts'
import { newId } from '../../src/core/ids.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { addMs, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { escalateWarnings } from '../../src/domain/margin/calls/escalate-many.ts'
import { sellCollaterals } from '../../src/domain/margin/calls/sell-many.ts'
import { evaluateTenant } from '../../src/domain/margin/evaluation/evaluate.ts'
import { canonicalJson, type PlainJson } from '../../src/domain/margin/receipts/canonical-json.ts'
import {
  listReceiptKeys,
  resealReceiptKey,
  rotateReceiptKey,
} from '../../src/domain/margin/receipts/receipt-key.ts'
import { getReceipt } from '../../src/domain/margin/receipts/receipts.ts'
import { houseForFile } from '../support/lending/houses.ts'
import { type KeptReceipt, readReceipts } from '../support/lending/receipts.ts'
import { LOOKS_SEALED } from '../support/stores/sealer.ts'

// The whole: RECEIPT_SALES=20000 RECEIPT_CHANGES=10000 npm test -- test/attacks/sale-receipts.test.ts
const { RECEIPT_SALES = '200', RECEIPT_CHANGES = '400' } = process.env
const [SALES, CHANGES] = [Number(RECEIPT_SALES), Number(RECEIPT_CHANGES)]
/** The whole takes minutes. */
const isWhole = SALES > 200 || CHANGES > 400
const LIMIT_MS = isWhole ? 50 * SALES + 20 * CHANGES : undefined
const AT_ONCE = 250

const PROGRAM = new URL('../../docs/examples/verify_receipt.py', import.meta.url).pathname
const hasPython = spawnSync('python3', ['--version']).status === 0

const lending = houseForFile()
const folder = mkdtempSync(join(tmpdir(), 'receipts-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The same numbers at every run, from 0 to below 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Loans that a fall of bitcoin from 100,000 to 59,000 breaks, some far, some barely. */
async function lend(count: number): Promise<string[]> {
  const random = createRandom(20_261_128)
  const { db, tenantId } = lending
  const now = lending.now()
  const loans = Array.from({ length: count }, () => {
    const btc = BigInt(Math.floor((0.1 + 4 * random()) * 1e8))
    const eth = random() < 0.5 ? BigInt(Math.floor(random() * 10 * 1e6)) * 10n ** 12n : 0n
    const usdc = random() < 0.4 ? BigInt(Math.floor(random() * 3_000 * 1e6)) : 0n
    const worth = Number(btc) * 59_000e-8 + Number(eth) * 2_400e-18 + Number(usdc) * 1e-6
    const principalCents = BigInt(Math.floor(worth * (0.84 + 0.4 * random()) * 100))
    const units = { BTC: btc, ...(eth > 0n && { ETH: eth }), ...(usdc > 0n && { USDC: usdc }) }
    return {
      ...{ id: newId('fac'), borrower: newId('bor'), principal: String(principalCents) },
      at: addMs(now, -3_600_000 * (1 + 40 * random())),
      positions: Object.fromEntries(Object.entries(units).map(([name, of]) => [name, String(of)])),
    }
  })
  const given = sql`json_to_recordset(${JSON.stringify(loans)}::json) AS given (
    id text, borrower text, principal numeric, at timestamptz, positions jsonb)`
  await sql`
    INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country, eligible,
      created_at, updated_at)
    SELECT ${tenantId}, borrower, 'individual', true, 'DE', true, at, at FROM ${given}`.execute(db)
  await sql`
    INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at)
    SELECT ${tenantId}, borrower, 1, decode(repeat('00', 32), 'hex'), positions, at
    FROM ${given}`.execute(db)
  await sql`
    INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      principal_cents, interest_numerator, interest_booked_cents, interest_paid_cents, accrued_at,
      created_at, updated_at)
    SELECT ${tenantId}, id, borrower, 'APPROVED', 1e18, 100000, principal, 0, 0, 0, at, at, at
    FROM ${given}`.execute(db)
  await sql`
    INSERT INTO principal_movements (tenant_id, facility_id, source_id, part, effective_at, delta_cents)
    SELECT tenant_id, facility_id, 'draw', 0, created_at, principal_cents FROM facilities`.execute(
    db,
  )
  await sql`
    INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
      destination, requested_at, completed_at)
    SELECT tenant_id, 'drw_' || right(facility_id, 26), facility_id, 'COMPLETED', 'USD',
      principal_cents, principal_cents, ${LOOKS_SEALED}, created_at, created_at
    FROM facilities`.execute(db)
  await sql`
    INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
    SELECT tenant_id, facility_id, 'draw/' || facility_id FROM facilities`.execute(db)
  await sql`
    INSERT INTO journal (tenant_id, entry_id, facility_id, kind, value_at, booked_at, accounts, assets, amounts)
    SELECT tenant_id, 'draw/' || facility_id, facility_id, 'draw', created_at, created_at,
      ARRAY['loans_receivable', 'bank'], ARRAY['USD', 'USD'], ARRAY[principal_cents, -principal_cents]
    FROM facilities`.execute(db)
  return loans.map(({ id }) => id)
}

async function evaluate(bitcoin: string, ether: string): Promise<void> {
  lending.market.set('BTC', bitcoin)
  lending.market.set('ETH', ether)
  lending.advance(MINUTE_MS)
  await evaluateTenant(lending.db, lending.context, lending.tenantId, lending.instant())
}

/** Three venues quote each price of the market, and the one in the middle makes it. */
function quotePrices(): void {
  lending.prices.quotesAt = async (db, instants) => {
    const all = await Promise.all(
      instants.map(async (at) => {
        const latest = await lending.prices.latest(db, lending.tenantId, at)
        return [...latest].flatMap(([asset, price]) =>
          asset === 'USD' || price.at.getTime() !== at.getTime()
            ? []
            : [-3n, 0n, 7n].map((off, place) => ({
                ...{
                  asset,
                  acceptedAt: at,
                  source: ['coinbase', 'kraken', 'bitstamp'][place] ?? '',
                },
                ...{ price: price.price + off, at },
              })),
        )
      }),
    )
    return all.flat()
  }
}

/** To each borrower who was warned, under a reference that names them. */
async function reportNotices(): Promise<void> {
  await sql`
    INSERT INTO margin_notices (tenant_id, event_id, number, channel, at, reference, recorded_at)
    SELECT tenant_id, event_id, 1, 'letter', raised_at, ${LOOKS_SEALED}, raised_at
    FROM margin_raises`.execute(lending.db)
}

/** As autovacuum does, which the tests' server does not run: plans of small tables do not stay. */
async function vacuum(): Promise<void> {
  for (const table of ['facilities', 'margin_warnings', 'margin_calls', 'margin_sales', 'work']) {
    await sql`VACUUM (ANALYZE) ${sql.table(table)}`.execute(lending.db)
  }
}

/** What a reader got who came before the sale. */
const early: unknown[] = []
let receipts: KeptReceipt[] = []
beforeAll(async () => {
  quotePrices()
  const { context, tenantId } = lending
  lending.market.set('BTC', '100000')
  const ids = await lend(SALES)
  if (isWhole) await vacuum()
  await evaluate('70000', '2900')
  await reportNotices()
  await evaluate('59000', '2400')
  lending.advance(MINUTE_MS)
  const fail = (error: unknown) => {
    throw error
  }
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    if (isWhole && at % (10 * AT_ONCE) === 0) await vacuum()
    const some = ids.slice(at, at + AT_ONCE)
    await escalateWarnings(context, tenantId, some, fail)
    const reading = getReceipt(lending.db, tenantId, some[0] ?? '', 1)
    early.push(await reading.catch((error: unknown) => error))
    await sellCollaterals(context, tenantId, some, fail)
  }
  receipts = await readReceipts(lending.db)
}, LIMIT_MS)

test('before the call completes there is no receipt', () => {
  expect(early[0]).toMatchObject({ code: 'margin_call_not_completed' })
})

const receiptOf = ({ file }: KeptReceipt): Receipt => JSON.parse(file).receipt

test(
  'every sale of a crash day is recomputed from its receipt to the cent',
  async () => {
    expect(receipts).toHaveLength(SALES)
    const faults: string[] = []
    for (const { facilityId, file } of receipts) {
      const verdict = await verifyReceipt(file)
      if (!verdict.ok) faults.push(`${facilityId}: ${verdict.faults.join(' ')}`)
    }
    expect(faults).toEqual([])
    const outcomes = new Set(receipts.map((one) => receiptOf(one).end.outcome))
    expect([...outcomes].sort()).toEqual(['deficit', 'full', 'partial'])
    expect(receipts.some((one) => receiptOf(one).steps.length > 1)).toBe(true)
    expect(receiptOf(receipts[0] as KeptReceipt).steps[0]?.order.reference?.venues).toHaveLength(1)
  },
  LIMIT_MS,
)

test('a receipt has the notices of its raises, and nothing that a person wrote or is paid by', () => {
  const all = receipts.map(({ file }) => file).join()
  expect(all).toContain('"channel":"letter"')
  expect(all).not.toMatch(/Ada|account-4711|custody|reference":"/)
})

test('the program for a court finds the same, in 200 lines of Python', () => {
  if (!hasPython) return
  const files = receipts.slice(0, 4).map(({ file }, at) => {
    const path = join(folder, `${at}.json`)
    writeFileSync(path, file)
    return path
  })
  for (const path of files) {
    const { status, stdout } = spawnSync('python3', [PROGRAM, path], { encoding: 'utf8' })
    expect({ path, status, stdout }).toMatchObject({ status: 0 })
  }
})

test(
  'each change of one byte is found',
  async () => {
    const random = createRandom(7)
    const missed: string[] = []
    const bytes = Buffer.from(receipts[0]?.file ?? '')
    for (let change = 0; change < CHANGES; change += 1) {
      const at = Math.floor(random() * bytes.length)
      const changed = Buffer.from(bytes)
      changed[at] = ((changed[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256
      const verdict = await verifyReceipt(changed)
      if (verdict.ok) missed.push(`byte ${at} as ${changed[at]}`)
    }
    expect(missed).toEqual([])
  },
  LIMIT_MS,
)

test('other bytes of the same receipt are refused, and so is a key that was not published', async () => {
  const [one] = receipts
  const file = one?.file ?? ''
  const parsed = JSON.parse(file)
  const others = [`${file}\n`, ` ${file}`, JSON.stringify(parsed, null, 1), `\ufeff${file}`]
  const reversed = { signature: parsed.signature, sha256: parsed.sha256, receipt: parsed.receipt }
  for (const other of [
    ...others,
    JSON.stringify(reversed),
    file.replace('"type"', '"t\\u0079pe"'),
  ]) {
    expect(await verifyReceipt(other)).toMatchObject({ ok: false })
  }
  const keys = (await listReceiptKeys(lending.db)).map(({ keyId, publicKey }) => ({
    ...{ key_id: keyId, public_key: publicKey.toString('hex') },
  }))
  expect(await verifyReceipt(file, { keys })).toMatchObject({ ok: true })
  expect(await verifyReceipt(file, { keys: [] })).toMatchObject({ ok: false })
})

const forger = generateKeyPairSync('ed25519')
const publicKey = forger.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)

/** Somebody's own receipt, signed by a key of their own. */
function forge(receipt: PlainJson): string {
  const body = Buffer.from(canonicalJson(receipt))
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  return canonicalJson({
    receipt,
    sha256: hash(body),
    signature: {
      algorithm: 'Ed25519',
      key_id: `rck_${hash(publicKey).slice(0, 32)}`,
      public_key: publicKey.toString('hex'),
      value: sign(null, body, forger.privateKey).toString('hex'),
    },
  })
}

type Leaf = { path: string; change(): () => void }

/** Every figure and instant of a part, each with a way to change it and back. */
function leavesOf(part: object, path: string): Leaf[] {
  return Object.entries(part).flatMap(([name, value]): Leaf[] => {
    const place = `${path}/${name}`
    if (typeof value === 'object' && value !== null) return leavesOf(value, place)
    const other = otherOf(value)
    if (other === undefined) return []
    const set = (to: unknown) => Object.assign(part, { [name]: to })
    const change = () => {
      set(other)
      return () => set(value)
    }
    return [{ path: place, change }]
  })
}

function otherOf(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value !== 'string') return undefined
  if (/^-?\d+$/.test(value)) return String(3n * BigInt(value) + 10n ** 17n)
  return /^\d{4}-.*Z$/.test(value)
    ? new Date(Date.parse(value) + 86_400_000).toISOString()
    : undefined
}

/** Nothing follows from these: when something came about, and what the debt was made of where its interest
 * is exact at the very instant, or the proceeds did not pay it all. */
const TOLD = [
  /\/(acknowledged_at|executed_at|received_at|asked_since|answered_at|booked_at|version)$/,
  /^\/statement\/(from|to|lines\/\d+\/value_at)$/,
  /\/(steps\/[1-9]|end)\b.*\/debt\/(rate_ppm|accrued_at|interest_paid_cents)$/,
  /\/fill\/debt\/principal_cents$/,
]

test('a false figure is found though it is signed', async () => {
  const sold = receipts.find((one) => receiptOf(one).steps.length > 1)
  const receipt = receiptOf(sold as KeptReceipt)
  const { decisions, steps, end, totals, statement } = receipt
  const missed: string[] = []
  for (const { path, change } of leavesOf({ decisions, steps, end, totals, statement }, '')) {
    if (TOLD.some((pattern) => pattern.test(path))) continue
    const undo = change()
    const verdict = await verifyReceipt(forge(receipt as unknown as PlainJson))
    if (verdict.ok) missed.push(path)
    undo()
  }
  expect(missed).toEqual([])
})

test('a receipt has the same bytes at each read, also after its key was replaced and sealed again', async () => {
  const { db, tenantId } = lending
  const [one] = receipts
  const read = () => getReceipt(db, tenantId, one?.facilityId ?? '', one?.number ?? 0)
  const sealer = createSealer([{ id: 'k1', bytes: Buffer.alloc(32, 1) }])
  const next = createSealer([
    { id: 'k2', bytes: Buffer.alloc(32, 2) },
    { id: 'k1', bytes: Buffer.alloc(32, 1) },
  ])
  const id = await inTransaction(db, (tx) => rotateReceiptKey(tx, sealer, lending.now()))
  expect(await resealReceiptKey(db, next)).toMatchObject({ resealed: 1, failed: 0 })
  expect(await resealReceiptKey(db, next)).toMatchObject({ resealed: 0, failed: 0 })
  const keys = await listReceiptKeys(db)
  expect(keys.map(({ keyId, retiredAt }) => [keyId === id, retiredAt !== undefined])).toEqual(
    expect.arrayContaining([
      [false, true],
      [true, false],
    ]),
  )
  expect(await read()).toBe(one?.file)
})
