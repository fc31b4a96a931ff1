import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { findViolations } from '../support/lending/find-violations.ts'
import { houseForFile } from '../support/lending/houses.ts'
import { addDrawnFacility, pass, repay, settle, usd } from '../support/lending/lending.ts'
import { sealOf } from '../support/lending/sealed.ts'
import { createDatabaseCli } from './database-cli.ts'

type Item = { id: string; destination: string; refusals: number; payment_under_way: boolean }

const lending = houseForFile()
let cli: ReturnType<typeof createDatabaseCli>
beforeAll(async () => {
  cli = createDatabaseCli(lending.databaseUrl)
})

const listed = async () => (await cli.read<{ items: Item[] }>('refunds list')).items
const redirect = (id: string, destination = 'account-2', reason = 'account closed') =>
  [...`refunds redirect ${id} --tenant ${lending.tenantId}`.split(' ')].concat(
    ...[
      ['--destination', destination],
      ['--reason', reason],
    ],
  )
const now = () => ({ now: lending.now() })

/** A borrower is owed 500.00, the payment of which was answered as given. */
async function addRefund(...answers: ('refused' | 'pending')[]): Promise<string> {
  const { id: facilityId } = await addDrawnFacility(lending, usd(20_000_00n))
  lending.payments.next = ['done', ...answers]
  await repay(lending, facilityId, usd(20_500_00n))
  await settle(lending)
  const refund = await lending.db
    .selectFrom('refunds')
    .select('refund_id')
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow()
  return refund.refund_id
}

const callsOf = (id: string) => lending.payments.calls.filter((call) => call.startsWith(`${id}/`))
const paid = (id: string) =>
  [...lending.payments.effects].filter(([call]) => call.startsWith(`${id}/`))
const violations = () => findViolations(lending.db)

test('a refused refund is paid once, elsewhere, under a new payment id, and the change is kept', async () => {
  const id = await addRefund('refused')
  expect(await listed()).toMatchObject([{ id, refusals: 1, payment_under_way: false }])
  const [before] = await listed()
  const done = await cli.read<object>(redirect(id), now())
  expect(done).toEqual({
    id,
    from_destination: before?.destination,
    destination: 'account-2',
    reason: 'account closed',
  })
  // At once: not when the next attempt would have been due.
  await settle(lending)
  expect(callsOf(id)).toEqual([`${id}/0`, `${id}/1`])
  expect(paid(id)).toEqual([[`${id}/1`, { amount: usd(500_00n), destination: 'account-2' }]])
  await pass(lending, 5 * 60_000, 60_000)
  expect(paid(id)).toHaveLength(1)
  expect(await listed()).toEqual([])
  const { rows } = await sql`SELECT number, from_destination, to_destination, refusals, reason
    FROM refund_redirects WHERE refund_id = ${id}`.execute(lending.db)
  const { facility_id: facilityId } = await lending.db
    .selectFrom('refunds')
    .select('facility_id')
    .where('refund_id', '=', id)
    .executeTakeFirstOrThrow()
  const of = { tenantId: lending.tenantId, facilityId }
  const sealed = (text: string) => sealOf(lending.db, of, text, 'destination')
  const kept = { number: 1, refusals: 1, reason: await sealOf(lending.db, of, 'account closed') }
  const way = {
    from_destination: await sealed(before?.destination ?? ''),
    to_destination: await sealed('account-2'),
  }
  expect(rows).toEqual([{ ...kept, ...way }])
  expect(await violations()).toEqual([])
})

test('a refund that was redirected and refused again is redirected again', async () => {
  const id = await addRefund('refused', 'refused')
  await cli.read(redirect(id), now())
  await settle(lending)
  await cli.read(redirect(id, 'account-3', 'mistyped'), now())
  await settle(lending)
  expect(paid(id)).toEqual([[`${id}/2`, { amount: usd(500_00n), destination: 'account-3' }]])
  const { rows } = await sql`SELECT number, refusals FROM refund_redirects
    WHERE refund_id = ${id} ORDER BY number`.execute(lending.db)
  expect(rows).toEqual([
    { number: 1, refusals: 1 },
    { number: 2, refusals: 2 },
  ])
  expect(await violations()).toEqual([])
})

test('while a payment is under way it may still be paid, so the refund is not redirected', async () => {
  const id = await addRefund('refused', 'pending')
  await pass(lending, 60_000, 60_000)
  expect(callsOf(id)).toContain(`${id}/1`)
  expect(await listed()).toMatchObject([{ id, payment_under_way: true }])
  expect(await cli.fail(redirect(id), now())).toMatchObject({
    code: 'validation_failed',
    message: expect.stringMatching(/is under way\. Redirect it after a refusal\.$/),
  })
  await pass(lending, 5 * 60_000, 60_000)
  expect(paid(id)).toHaveLength(1)
  expect(paid(id)[0]?.[1].destination).not.toBe('account-2')
  expect(await cli.fail(redirect(id), now())).toMatchObject({ message: `Refund ${id} is paid.` })
  expect(await violations()).toEqual([])
})

test('a payment counts as under way when its worker died before the answer', async () => {
  const id = await addRefund('refused')
  await sql`UPDATE refunds SET ordered = refusals WHERE refund_id = ${id}`.execute(lending.db)
  expect((await cli.fail(redirect(id), now())).message).toContain('is under way')
  await pass(lending, 5 * 60_000, 60_000)
  expect(paid(id)).toHaveLength(1)
})

test('a redirect is refused without a reason or by a destination no one sees, for the refund of another tenant and one that is there already', async () => {
  const id = await addRefund('refused')
  const before = await listed()
  const unseen = 'The destination must have no invisible characters: it has'
  for (const [destination, reason, message] of [
    ['account-2', ' ', 'The reason must not be empty.'],
    ['x'.repeat(201), 'why', 'The destination must have 1 to 200 characters.'],
    [' ', 'why', `${unseen} an outer blank.`],
    ['a\nb', 'why', `${unseen} U+000A.`],
    ['account-\u202e1117', 'why', `${unseen} U+202E.`],
    ['account-2\u200b', 'why', `${unseen} U+200B.`],
    [before[0]?.destination, 'why', 'The refund already has this destination.'],
  ] as const) {
    expect(await cli.fail(redirect(id, destination, reason), now())).toMatchObject({ message })
  }
  const other = await cli.createTenant()
  const theirs = redirect(id).map((part) => (part === lending.tenantId ? other : part))
  expect(await cli.fail(theirs, now())).toMatchObject({ code: 'not_found' })
  expect(await listed()).toEqual(before)
})
