import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, monthEnd } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { holdFacility } from '../../src/domain/margin/hold-facility.ts'
import { listReceiptKeys } from '../../src/domain/margin/receipts/receipt-key.ts'
import { encodeManifest, type Manifest } from '../../src/domain/month-end/manifest.ts'
import { correct } from '../support/lending/corrections.ts'
import { houseForFile } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
  draw,
  pass,
  pushPortfolio,
  repay,
  settle,
  usd,
  usdc,
} from '../support/lending/lending.ts'
import { addBorrowed, holdPrice } from '../support/lending/margin.ts'
import { run } from './database-cli.ts'

const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`

const lending = houseForFile({ now: '2026-11-20T12:00:00Z' })

let folder: string
let drawn: string
let sold: string
let soldTo: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'month-end-'))
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  drawn = id
  await draw(lending, id, usdc(500_000_000n))
  await settle(lending)
  const other = await addBorrowed(lending)
  sold = other.id
  soldTo = other.borrowerId
  await holdPrice(lending, '50000')
  await pass(lending, 10 * MINUTE_MS, MINUTE_MS)
  await pushPortfolio(lending, borrowerId)
  await repay(lending, id, usd(1_000_00n))
  await settle(lending)
  await correct(lending, id, { kind: 'credit', cents: 25_00n })
  const hold = { kind: 'dispute', reason: 'a letter' } as const
  await inTransaction(lending.db, (tx) => holdFacility(lending.within(tx), id, hold))
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, day, theirs,
      found_at, written_at)
    VALUES (${lending.tenantId}, 'brk_1', 'missing_here', 'bank', '=cmd', '2026-11-22',
      '{"asset":"USD","units":"5"}', now(), now())`.execute(lending.db)
  const end = monthEnd(lending.now())
  await pass(lending, end.getTime() - lending.now().getTime(), 5 * DAY_MS)
  await pass(lending, DAY_MS)
  // Known in December: the tape of November does not change by it.
  await repay(lending, id, usd(2_000_00n))
  await correct(lending, id, { kind: 'credit', cents: 10_00n })
  await settle(lending)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const monthEndOf = (args: string) =>
  run(`books month-end ${args}`.split(' '), {
    env: { DATABASE_URL: lending.databaseUrl, STACK: 'sandbox', ENCRYPTION_KEYS },
    now: lending.now(),
  })

type Row = Record<string, string>

/** No cell that these tests read is quoted. */
async function readRows(to: string, file: string): Promise<Row[]> {
  const [head = '', ...lines] = (await readFile(join(to, file), 'utf8')).trimEnd().split('\n')
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(names.map((name, n) => [name, cells[n] ?? '']))
  })
}

const cellOf = (row: Row | undefined, name: string) => row?.[name] ?? ''

test('the files of a month agree with its trial balance, and the manifest has their hashes', async () => {
  const to = join(folder, 'whole')
  const done = await monthEndOf(`2026-11 --tenant ${lending.tenantId} --to ${to} --json`)
  expect(done).toMatchObject({ exitCode: 0, error: '' })
  const manifest = JSON.parse(done.out) as Manifest
  expect(manifest).toMatchObject({ month: '2026-11', closed: false, tenants: 1 })
  expect(await readFile(join(to, 'manifest.json'))).toEqual(encodeManifest(manifest))
  for (const { name, sha256, bytes, rows } of manifest.files) {
    const content = await readFile(join(to, name))
    const hash = createHash('sha256').update(content).digest('hex')
    const lines = content.toString().split('\n').length - 2
    expect({ name, sha256, bytes, rows }).toEqual({
      name,
      sha256: hash,
      bytes: content.length,
      rows: lines,
    })
  }
  expect((await readdir(to)).sort()).toEqual(
    [...manifest.files.map(({ name }) => name), 'manifest.json', 'manifest.sig.json'].sort(),
  )
  const tape = await readRows(to, 'loan-tape.csv')
  expect(tape.map((row) => cellOf(row, 'id')).sort()).toEqual([drawn, sold].sort())
  const loan = tape.find((row) => cellOf(row, 'id') === drawn)
  expect(loan).toMatchObject({
    ...{ term: 'none', rate: '0.100000', requested_amount: '40000.00', fee: 'none' },
    ...{ currency: 'USD', state: 'APPROVED', external_id: '' },
  })
  // 10,000.00 and 500 USDC, less 1,000.00, of which some cents pay interest, less 25.00 that were credited.
  expect(Number(cellOf(loan, 'principal'))).toBeLessThan(9_476)
  expect(Number(cellOf(loan, 'principal'))).toBeGreaterThan(9_475)
  const balance = await readRows(to, 'trial-balance.csv')
  const of = (account: string) => {
    const isOf = (row: Row) => cellOf(row, 'account') === account && cellOf(row, 'asset') === 'USD'
    return Number(cellOf(balance.find(isOf), 'balance'))
  }
  const sum = (rows: Row[], name: string) =>
    rows.reduce((total, row) => total + Math.round(Number(cellOf(row, name)) * 100), 0) / 100
  expect(sum(tape, 'principal')).toBe(of('loans_receivable'))
  expect(sum(tape, 'interest')).toBe(of('interest_receivable'))
  expect(sum(await readRows(to, 'interest.csv'), 'interest')).toBe(-of('interest_income'))
  const [proceeds] = await readRows(to, 'sale-proceeds.csv')
  expect(proceeds).toMatchObject({ borrower_id: soldTo, orders: '1' })
  expect(Number(cellOf(proceeds, 'gross_proceeds'))).toBeGreaterThan(10_000)
  expect(await readRows(to, 'corrections.csv')).toMatchObject([
    { facility_id: drawn, kind: 'credit', amount: '25.00', written_off: '25.00' },
  ])
  expect(await readRows(to, 'holds.csv')).toMatchObject([
    { facility_id: drawn, kind: 'dispute', ended_at: '' },
  ])
  expect(await readFile(join(to, 'holds.csv'), 'utf8')).not.toContain('letter')
  expect(await readFile(join(to, 'breaks.csv'), 'utf8')).toContain(",'=cmd,")
})

test('a folder that exists, and a month that has not ended, are refused and write nothing', async () => {
  const to = join(folder, 'once')
  const args = `2026-11 --tenant ${lending.tenantId} --to ${to}`
  expect(await monthEndOf(args)).toMatchObject({ exitCode: 0 })
  expect(await monthEndOf(args)).toMatchObject({
    ...{ exitCode: 1, error: expect.stringContaining('exists') },
  })
  const early = join(folder, 'early')
  expect(await monthEndOf(`2026-12 --tenant ${lending.tenantId} --to ${early}`)).toMatchObject({
    ...{ exitCode: 1, error: expect.stringContaining('has not ended') },
  })
  expect(await readdir(folder)).not.toContain('early')
  expect(await monthEndOf('2026-13')).toMatchObject({ exitCode: 2 })
})

test('a facility that does not show what the journal has is named, and no folder is left', async () => {
  const to = join(folder, 'wrong')
  await sql`UPDATE facilities SET principal_cents = principal_cents + 1
    WHERE facility_id = ${drawn}`.execute(lending.db)
  try {
    const { exitCode, error } = await monthEndOf(`2026-11 --tenant ${lending.tenantId} --to ${to}`)
    expect(exitCode).toBe(1)
    expect(error).toContain(`loans_receivable of ${lending.tenantId}`)
    const names = await readdir(folder)
    expect(names.filter((name) => name.startsWith('wrong'))).toEqual([])
  } finally {
    await sql`UPDATE facilities SET principal_cents = principal_cents - 1
      WHERE facility_id = ${drawn}`.execute(lending.db)
  }
})

test('the manifest is signed by the receipt key, whose public half is published', async () => {
  const to = join(folder, 'signed')
  await monthEndOf(`2026-11 --to ${to}`)
  const bytes = await readFile(join(to, 'manifest.json'))
  const signed = JSON.parse(await readFile(join(to, 'manifest.sig.json'), 'utf8'))
  const published = await listReceiptKeys(lending.db)
  const raw = published.find(({ keyId }) => keyId === signed.key_id)?.publicKey
  const x = raw?.toString('base64url') ?? ''
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signature = Buffer.from(signed.signature, 'base64')
  expect(verify(null, bytes, key, signature)).toBe(true)
  const env = { DATABASE_URL: lending.databaseUrl, STACK: 'sandbox' }
  const other = `k2:${Buffer.alloc(32, 2).toString('base64')}`
  const refused = await run(['books', 'month-end', '2026-11', '--to', join(folder, 'unsigned')], {
    env: { ...env, ENCRYPTION_KEYS: other },
    now: lending.now(),
  })
  expect(refused.exitCode).toBe(1)
  expect(refused.error).toContain('no encryption key with id k1 is configured')
  const changed = Buffer.concat([bytes, Buffer.from(' ')])
  expect(verify(null, changed, key, signature)).toBe(false)
})
