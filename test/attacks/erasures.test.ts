import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import {
  APPROVE_BORROWER,
  BLOCK_BORROWER,
  UNBLOCK_BORROWER,
} from '../../src/domain/operators/acts/borrower-acts.ts'
import { ERASE_BORROWER, replayErasure } from '../../src/domain/operators/acts/erasure-acts.ts'
import { exportBorrower } from '../../src/domain/operators/export-borrower.ts'
import { renderPersonPage } from '../../src/domain/personal/person-page.ts'
import { keepErasureIn, readErased } from '../../src/process/erased-file.ts'
import { createSandboxPayments } from '../../src/providers/sandbox/payments-sandbox.ts'
import { type Actor, openDesk, SYSTEM } from '../domain/operators/desk.ts'
import { findViolations } from '../support/lending/find-violations.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
  addEligibleBorrower,
  applyFor,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../support/lending/lending.ts'

const lending = houseForEachTest()
let file = ''
const desk = openDesk({
  get db() {
    return lending.db
  },
  now: () => lending.now(),
  keepErasure: (erased) => keepErasureIn(file)(erased),
})
let ada: Actor
let grace: Actor
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'erased-')), 'erased.jsonl')
  ada = await desk.addOperator(`ada${Math.random()}`, 'admin')
  grace = await desk.addOperator(`grace${Math.random()}`, 'admin')
})

const ofBorrower = (borrowerId: string) => ({ tenantId: lending.tenantId, borrowerId })

async function erase(borrowerId: string, reason = 'asked by letter'): Promise<void> {
  const id = await desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId), { reason })
  await desk.confirm(grace, id)
}

/** As it would be six years after its end. */
async function age(facilityId: string): Promise<void> {
  await sql`UPDATE facilities SET created_at = created_at - interval '6 years',
      acted_at = acted_at - interval '6 years', decisioned_at = decisioned_at - interval '6 years',
      closed_at = closed_at - interval '6 years'
    WHERE facility_id = ${facilityId}`.execute(lending.db)
}

const REFERENCE = 'Überweisung Zwölfboth'

/** A loan from its first draw to its closing, with names in each place that holds one in clear. */
let loans = 0
async function addRepaidLoan(given?: string) {
  loans += 1
  const reference = given ?? `${REFERENCE} ${loans}`
  const facility = await addDrawnFacility(lending, usd(1_000_00n))
  lending.transfers.set(reference, `transfer of ${reference}`)
  const { id } = await repay(lending, facility.id, usd(1_000_00n), reference)
  // As the sandbox has it, where it goes back.
  const { tenantId, now } = lending
  const call = { tenantId, callId: `${id}/1`, realNow: now(), claimed: usd(1_000_00n) }
  const payments = createSandboxPayments(lending.db, async () => now())
  await payments.confirmReceipt({ ...call, reference: `${reference}+returned` })
  await payments.confirmReceipt({ ...call, reference: `${reference}+returned` })
  await settle(lending)
  await requestClosing(lending, facility.id)
  await settle(lending)
  const { state, borrowerId } = await read(lending, facility.id)
  expect(state).toBe('CLOSED')
  await sql`UPDATE facilities SET external_id = 'loan-zwolfboth', custody_account = 'acct-zwolfboth'
    WHERE facility_id = ${facility.id}`.execute(lending.db)
  await sql`UPDATE borrowers SET external_id = 'customer-zwolfboth'
    WHERE borrower_id = ${borrowerId}`.execute(lending.db)
  const answer = { id: borrowerId, external_id: 'customer-zwolfboth', type: 'individual' }
  await sql`INSERT INTO idempotency_records (tenant_id, key, fingerprint, status, body, recorded_at)
    VALUES (${lending.tenantId}, gen_random_uuid(), sha256(''), 201, ${JSON.stringify(answer)},
      now())`.execute(lending.db)
  return { facilityId: facility.id, borrowerId }
}

/** Every row of every table that names the tenant, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind = 'r'`.execute(lending.db)
  let text = ''
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(t)::text AS row FROM ${sql.table(name)} t
      WHERE to_jsonb(t)::text LIKE ${`%${lending.tenantId}%`}`.execute(lending.db)
    text += rows.map(({ row }) => `${name} ${row}\n`).join('')
  }
  return text
}

const refused = (code: string) => expect.objectContaining({ code })

const lines = async () => (await readErased(file)).erased.map((row) => row.borrower_id)

describe('erasing a borrower', () => {
  test('after it no row of any table has a byte of the person, and the books are right', async () => {
    const { facilityId, borrowerId } = await addRepaidLoan()
    const act = { ...ofBorrower(borrowerId) }
    await desk.ask(ada, BLOCK_BORROWER, act, { reason: 'Zwolfboth is in the news' })
    const lift = await desk.propose(ada, UNBLOCK_BORROWER, act, { reason: 'not that Zwolfboth' })
    await desk.confirm(grace, lift)
    const before = await dump()
    for (const text of [REFERENCE, 'loan-zwolfboth', 'acct-zwolfboth', 'customer-zwolfboth']) {
      expect(before).toContain(text)
    }
    // What operators wrote was never clear.
    expect(before).not.toMatch(/in the news|not that Z/)
    expect(before).toMatch(/^sandbox_transfers .*-return"/m)
    await age(facilityId)
    await sql`UPDATE borrowers SET unblocked_at = unblocked_at - interval '6 years'
      WHERE borrower_id = ${borrowerId}`.execute(lending.db)
    await erase(borrowerId, 'a letter of Zwolfboth')
    expect((await dump()).match(/.*zw[oö]lfboth.*/giu)).toBeNull()
    const { rows: answers } = await sql`SELECT body FROM idempotency_records
      WHERE tenant_id = ${lending.tenantId}`.execute(lending.db)
    expect(answers).toEqual([{ body: JSON.stringify({ id: borrowerId, type: 'individual' }) }])
    expect(await findViolations(lending.db)).toEqual([])
    expect(await checkLedger(lending.db)).toEqual([])
    const recorded = await desk.actionsOn(borrowerId)
    expect(recorded.map(({ action }) => action)).toEqual([
      ...['borrowers.erase', 'approvals.confirm', 'approvals.propose', 'borrowers.unblock'],
      ...['approvals.confirm', 'approvals.propose', 'borrowers.block'],
    ])
    expect(recorded.map(({ reason }) => reason).filter(Boolean)).toEqual([])
    expect(recorded.at(-1)).toMatchObject({ after: { blocked: true } })
    expect(await lines()).toEqual([borrowerId])
  })

  test('another use of its reference or transfer is refused as before', async () => {
    const { facilityId, borrowerId } = await addRepaidLoan('wire Zwolfboth')
    await age(facilityId)
    await erase(borrowerId)
    const other = await addDrawnFacility(lending, usd(1_000_00n))
    await expect(repay(lending, other.id, usd(10_00n), 'WIRE zwolfboth')).rejects.toEqual(
      refused('duplicate_reference'),
    )
    lending.transfers.set('another wire', 'transfer of wire Zwolfboth')
    const repayment = await repay(lending, other.id, usd(10_00n), 'another wire')
    await settle(lending)
    const { rows } = await sql<{ status: string; contested_transfer: string | null }>`
      SELECT status, contested_transfer FROM repayments
      WHERE repayment_id = ${repayment.id}`.execute(lending.db)
    expect(rows).toEqual([{ status: 'REPORTED', contested_transfer: 'transfer of wire Zwolfboth' }])
    expect(await findViolations(lending.db)).toEqual([])
  })

  test('a borrower with nothing is erased immediately, once', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    await erase(borrowerId)
    expect(await lines()).toEqual([borrowerId])
    await expect(applyFor(lending, borrowerId)).rejects.toEqual(refused('borrower_erased'))
    await expect(
      desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId), { reason: 'again' }),
    ).rejects.toEqual(refused('validation_failed'))
    await expect(
      desk.propose(ada, UNBLOCK_BORROWER, ofBorrower(borrowerId), { reason: 'again' }),
    ).rejects.toEqual(refused('validation_failed'))
    expect(await lines()).toEqual([borrowerId])
  })

  test('of two that are proposed, the second is not confirmed after the first', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const proposals = []
    for (const reason of ['one', 'two']) {
      proposals.push(await desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId), { reason }))
    }
    const confirmed = await Promise.allSettled(proposals.map((id) => desk.confirm(grace, id)))
    expect(confirmed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(confirmed.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'approval_not_open' },
    })
    expect(await lines()).toEqual([borrowerId])
  })

  test('it is confirmed by no proposer, no system’s user, and not where there is no file', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const id = await desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId))
    for (const by of [ada, SYSTEM]) {
      await expect(desk.confirm(by, id)).rejects.toEqual(refused('scope_missing'))
    }
    const { db, now } = lending
    const withoutFile = openDesk({ db, now })
    await expect(withoutFile.confirm(grace, id)).rejects.toEqual(refused('unavailable'))
    await expect(readFile(file)).rejects.toThrow('ENOENT')
    await desk.confirm(grace, id)
    expect(await lines()).toEqual([borrowerId])
  })

  test('a borrower of another tenant is not found', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const stranger = { tenantId: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c', borrowerId }
    await expect(desk.propose(ada, ERASE_BORROWER, stranger)).rejects.toEqual(refused('not_found'))
  })

  test('it is refused while a facility is open, and names the facility', async () => {
    const facility = await addDrawnFacility(lending, usd(1_000_00n))
    await expect(
      desk.propose(ada, ERASE_BORROWER, ofBorrower(facility.borrowerId)),
    ).rejects.toMatchObject({
      code: 'retention_not_over',
      message: expect.stringContaining(`facility ${facility.id} is open`),
    })
  })

  test('it is refused for five years after the last facility has ended, and says until when', async () => {
    const { facilityId, borrowerId } = await addRepaidLoan()
    const { closedAt } = await read(lending, facilityId)
    const until = new Date(closedAt ?? 0)
    until.setUTCFullYear(until.getUTCFullYear() + 5)
    await expect(desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId))).rejects.toMatchObject({
      code: 'retention_not_over',
      message: expect.stringContaining(`kept until ${until.toISOString()}`),
    })
  })

  test('of an application and an erasure at the same time one is refused', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const id = await desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId))
    const [applied, erased] = await Promise.allSettled([
      applyFor(lending, borrowerId),
      desk.confirm(grace, id),
    ])
    expect([applied.status, erased.status].sort()).toEqual(['fulfilled', 'rejected'])
    const { rows } = await sql<{ facilities: bigint; erased: boolean }>`
      SELECT (SELECT count(*) FROM facilities WHERE borrower_id = ${borrowerId}) AS facilities,
        (SELECT erased_at IS NOT NULL FROM borrower_keys WHERE borrower_id = ${borrowerId}) AS erased
    `.execute(lending.db)
    expect(rows).toEqual([
      applied.status === 'fulfilled'
        ? { facilities: 1n, erased: false }
        : { facilities: 0n, erased: true },
    ])
  })

  test('a transaction that ends before its commit leaves a line in the file, which a replay applies', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const id = await desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId))
    // The session is lost after the line and before the commit.
    const lost = openDesk({
      ...{ db: lending.db, now: lending.now },
      async keepErasure(erased) {
        await keepErasureIn(file)(erased)
        throw new Error('the process was killed')
      },
    })
    await expect(lost.confirm(grace, id)).rejects.toThrow('killed')
    expect(await lines()).toEqual([borrowerId])
    const replay = () =>
      desk.act(SYSTEM, (context) => replayErasure(context, ofBorrower(borrowerId)))
    expect(await replay()).toBe('erased')
    expect(await replay()).toBe('known')
    await expect(desk.confirm(grace, id)).rejects.toEqual(refused('approval_not_open'))
  })

  test('a line that cannot be written undoes the erasure', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const id = await desk.propose(ada, ERASE_BORROWER, ofBorrower(borrowerId))
    const kept = file
    file = '/dev/full'
    await expect(desk.confirm(grace, id)).rejects.toThrow()
    file = kept
    const { rows } = await sql`SELECT FROM borrower_keys
      WHERE borrower_id = ${borrowerId} AND erased_at IS NULL`.execute(lending.db)
    expect(rows).toHaveLength(1)
    await desk.confirm(grace, id)
  })

  test('a line that was cut off is reported, and takes no other with it', async () => {
    await writeFile(file, '\n{"tenant_id":"ten_1","borr')
    await keepErasureIn(file)({ ...ofBorrower('bor_1'), at: lending.now() })
    await keepErasureIn(file)({ ...ofBorrower('bor_1'), at: lending.now() })
    const { erased, unreadable } = await readErased(file)
    expect(erased.map((row) => row.borrower_id)).toEqual(['bor_1'])
    expect(unreadable).toEqual(['{"tenant_id":"ten_1","borr'])
  })

  test('a replay waits for what a restored database has unsettled', async () => {
    const { borrowerId, id } = await addDrawnFacility(lending, usd(1_000_00n))
    const outcome = await desk.act(SYSTEM, (context) =>
      replayErasure(context, ofBorrower(borrowerId)),
    )
    expect(outcome).toEqual({ waits: expect.stringContaining(`${id} is open`) })
    const absent = { tenantId: lending.tenantId, borrowerId: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c' }
    expect(await desk.act(SYSTEM, (context) => replayErasure(context, absent))).toBe('absent')
  })
})

describe('the export of a borrower', () => {
  const exported = (borrowerId: string, all = false) =>
    inTransaction(lending.db, (tx) =>
      exportBorrower(tx, { actor: ada, now: lending.now() }, ofBorrower(borrowerId), {
        ...{ all, reason: 'asked' },
      }),
    )

  test('the page has what the person did, and no check against money laundering, review or hold', async () => {
    const { borrowerId } = await addRepaidLoan()
    await desk.ask(ada, BLOCK_BORROWER, ofBorrower(borrowerId), { reason: 'suspicious' })
    const page = renderPersonPage(await exported(borrowerId), lending.now())
    for (const text of [REFERENCE, 'acct-zwolfboth', '1000.00 USD', 'account-4711', 'kyc']) {
      expect(page).toContain(text)
    }
    expect(page).not.toMatch(/aml|suspicious|block/i)
  })

  test('the lender’s copy has every row, opened, and what was exported is recorded', async () => {
    const { borrowerId } = await addRepaidLoan()
    await desk.ask(ada, BLOCK_BORROWER, ofBorrower(borrowerId), { reason: 'suspicious' })
    const rows = await exported(borrowerId, true)
    expect(rows['compliance_checks']?.length).toBeGreaterThan(1)
    expect(rows['repayments']).toHaveLength(1)
    expect(rows['journal']?.length).toBeGreaterThan(1)
    expect(rows['operator_actions']).toMatchObject([{ reason: 'suspicious' }])
    expect(JSON.stringify(rows)).not.toContain('"person.')
    const [act] = await desk.actionsOn(borrowerId)
    expect(act).toMatchObject({ action: 'borrowers.export', after: { for: 'lender' } })
  })

  test('what a person typed makes no link and no heading on the page', () => {
    const page = renderPersonPage(
      {
        borrowers: [
          { borrower_id: 'bor_1', external_id: '# [x](http://evil)\n<b>', type: 'business' },
        ],
      },
      lending.now(),
    )
    expect(page).toContain(`${String.raw`\# \[x\](http://evil)`}\ufffd${String.raw`\<b\>`}`)
  })

  test('of an erased borrower nothing is exported', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    await erase(borrowerId)
    await expect(exported(borrowerId)).rejects.toEqual(refused('borrower_erased'))
  })
})

test('an approval of checks keeps its note sealed', async () => {
  const borrowerId = await addEligibleBorrower(lending)
  await sql`UPDATE compliance_checks SET status = 'review', decided_at = NULL
    WHERE borrower_id = ${borrowerId}`.execute(lending.db)
  await desk.ask(ada, APPROVE_BORROWER, ofBorrower(borrowerId), { reason: 'passport of Quirinius' })
  const { rows } = await sql<{ row: string }>`
    SELECT to_jsonb(a)::text AS row FROM operator_actions a
    WHERE subject_id = ${borrowerId}`.execute(lending.db)
  expect(rows.map(({ row }) => row).join()).not.toContain('Quirinius')
  expect(await desk.actionsOn(borrowerId)).toMatchObject([{ reason: 'passport of Quirinius' }])
})
