import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { listKeys } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { showTerms } from '../../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { listPolicyVersions } from '../../../src/domain/margin/versions/versions.ts'
import { listResidencyRules, replaceRule } from '../../../src/domain/onboarding/residency.ts'
import { REGISTER_KEY } from '../../../src/domain/operators/acts/access-acts.ts'
import {
  APPROVE_BORROWER,
  BLOCK_BORROWER,
  REJECT_BORROWER,
  UNBLOCK_BORROWER,
} from '../../../src/domain/operators/acts/borrower-acts.ts'
import {
  SET_MARGIN_POLICY,
  WITHDRAW_MARGIN_POLICY,
} from '../../../src/domain/operators/acts/margin-policy-acts.ts'
import { REDIRECT_REFUND } from '../../../src/domain/operators/acts/payment-acts.ts'
import { SEED_RESIDENCY, SET_RESIDENCY } from '../../../src/domain/operators/acts/residency-acts.ts'
import {
  listApprovals,
  listPendingApprovals,
} from '../../../src/domain/operators/approvals/approvals.ts'
import { createManualCompliance } from '../../../src/providers/compliance-manual.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import { addDrawnFacility, repay, settle, usd } from '../../support/lending/lending.ts'
import { addBorrower, evaluate, sign } from '../../support/lending/onboarding.ts'
import { removeOperator } from '../../support/people.ts'
import { untilOneWaits } from '../../support/stores/waiting-sessions.ts'
import { type Actor, openDesk, SYSTEM } from './desk.ts'

const house = houseForFile()
const desk = openDesk({
  get db() {
    return house.db
  },
  now: () => house.now(),
})
let ada: Actor
let grace: Actor
let risk: Actor
let reviewer: Actor
beforeAll(async () => {
  ada = await desk.addOperator('ada', 'admin')
  grace = await desk.addOperator('grace', 'admin')
  risk = await desk.addOperator('risk', 'risk')
  reviewer = await desk.addOperator('reviewer', 'reviewer')
})

const COUNTRIES =
  'IE ES IT PT AT BE FI SE NO DK PL CZ GR HU RO BG HR SI SK LT LV EE LU MT CY IS'.split(' ')
let country = ''
let rule = {
  country,
  borrowerType: 'business' as 'business' | 'individual',
  allowed: true,
  ratePpm: 70_000,
}
beforeEach(() => {
  country = COUNTRIES.shift() ?? ''
  rule = { ...rule, country }
})
const propose = (by: Actor, more: Partial<typeof rule> = {}) =>
  desk.propose(by, SET_RESIDENCY, { ...rule, ...more })
const rules = async () =>
  (await listResidencyRules(house.db)).filter((one) => one.country === country)
const actions = () => desk.actionsOn(`${country}/business`)
const pending = async () =>
  (await listPendingApprovals(house.db, house.now(), 100)).map(({ id }) => id)

const CHANGED = {
  code: 'approval_not_open',
  message: 'What it would change has changed since it was proposed.',
}

describe('a proposal', () => {
  test('changes nothing until another operator confirms it, once, and both names are on record', async () => {
    const id = await propose(ada)
    expect(await rules()).toEqual([])
    expect(await pending()).toContain(id)
    await desk.confirm(grace, id)
    expect(await rules()).toMatchObject([{ allowed: true, ratePpm: 70_000 }])
    expect(await pending()).not.toContain(id)
    const recorded = await actions()
    expect(recorded).toMatchObject([
      {
        ...{ actor: grace.email, action: 'residency.set', reason: 'board' },
        after: { allowed: true, rate: '0.07' },
      },
      {
        ...{ actor: grace.email, action: 'approvals.confirm' },
        after: { approval_id: id, proposed_by: ada.email },
      },
      {
        ...{ actor: ada.email, action: 'approvals.propose', reason: 'board' },
        after: { approval_id: id, proposed: 'residency.set' },
      },
    ])
    for (const again of [desk.confirm, desk.reject]) {
      await expect(again(grace, id)).rejects.toMatchObject({ code: 'approval_not_open' })
    }
    expect(await actions()).toEqual(recorded)
  })

  test('is confirmed by no proposer, no system’s user and no one whose role does not allow the act', async () => {
    const viewer = await desk.addOperator('vera', 'viewer')
    const id = await propose(ada)
    const refused = [
      ...[ada, SYSTEM, reviewer, viewer].map((by) => desk.confirm(by, id)),
      ...[SYSTEM, reviewer, viewer].map((by) => desk.reject(by, id)),
      ...[SYSTEM, reviewer, viewer].map((by) => desk.propose(by, SET_RESIDENCY, rule)),
    ]
    await Promise.all(
      refused.map((one) => expect(one).rejects.toMatchObject({ code: 'scope_missing' })),
    )
    await expect(desk.confirm(grace, newId('apr'))).rejects.toMatchObject({ code: 'not_found' })
    expect(await rules()).toEqual([])
    expect(await pending()).toContain(id)
  })

  test('needs a reason, and is refused at once for what the act refuses', async () => {
    await expect(desk.propose(ada, SET_RESIDENCY, rule, { reason: ' ' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(propose(ada, { country: 'ZZ' })).rejects.toMatchObject({
      ...{ code: 'validation_failed' },
      message: expect.stringContaining('The country is refused'),
    })
  })

  test('that is rejected or withdrawn by its proposer is not done', async () => {
    const [late, withdrawn] = [await propose(ada), await propose(ada, { allowed: false })]
    await desk.reject(grace, late, 'late')
    await desk.reject(ada, withdrawn)
    for (const id of [late, withdrawn]) {
      await expect(desk.confirm(grace, id)).rejects.toMatchObject({ code: 'approval_not_open' })
    }
    expect(await rules()).toEqual([])
    expect(await actions()).toContainEqual(
      expect.objectContaining({ actor: grace.email, action: 'approvals.reject', reason: 'late' }),
    )
  })

  test('expires after three days', async () => {
    const id = await propose(ada)
    const late = addMs(house.now(), 3 * DAY_MS)
    await expect(desk.confirm(grace, id, { now: late })).rejects.toMatchObject({
      ...{ code: 'approval_not_open', message: 'It has expired.' },
    })
    const all = await listApprovals(house.db, late, 100)
    expect(all.find((one) => one.id === id)).toMatchObject({ status: 'EXPIRED' })
    const now = addMs(late, -1)
    expect(await desk.confirm(grace, id, { now })).toMatchObject({ action: 'residency.set' })
  })

  test('sent twice by one operator is one, and by another or for another change a second', async () => {
    const id = await propose(ada)
    expect(await propose(ada)).toBe(id)
    expect(await propose(risk)).not.toBe(id)
    expect(await propose(ada, { allowed: false })).not.toBe(id)
  })

  test('is not done on top of another change of the same, nor of one that was changed back', async () => {
    const [first, second] = [await propose(ada), await propose(risk, { ratePpm: 90_000 })]
    await desk.confirm(grace, first)
    await expect(desk.confirm(grace, second)).rejects.toMatchObject(CHANGED)
    const third = await propose(risk, { allowed: false })
    for (const allowed of [false, true]) {
      await desk.ask(ada, SET_RESIDENCY, { ...rule, allowed }, { isFourEyes: false })
    }
    await expect(desk.confirm(grace, third)).rejects.toMatchObject(CHANGED)
    expect(await rules()).toMatchObject([{ allowed: true, ratePpm: 70_000 }])
  })

  test('that is confirmed while the same is changed waits and sees the change', async () => {
    const id = await propose(ada)
    const denied = { ...rule, state: undefined, allowed: false, ratePpm: undefined }
    const confirming = await inTransaction(house.db, async (tx) => {
      await replaceRule(tx, { ...denied, maxLimitCents: undefined }, house.now())
      const refused = expect(desk.confirm(grace, id)).rejects.toMatchObject(CHANGED)
      await untilOneWaits(house.db)
      return { refused }
    })
    await confirming.refused
    expect(await rules()).toMatchObject([{ allowed: false }])
  })

  test('that two confirm at the same time is done once', async () => {
    const id = await propose(ada)
    const both = await Promise.allSettled([desk.confirm(grace, id), desk.confirm(risk, id)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await actions()).filter(({ action }) => action === 'residency.set')).toHaveLength(1)
  })

  test('of an operator who was removed or may not do it any more is not done', async () => {
    const [leaver, demoted] = [
      await desk.addOperator('leaver', 'risk'),
      await desk.addOperator('demoted', 'risk'),
    ]
    const ids = [await propose(leaver), await propose(demoted)]
    await inTransaction(house.db, (tx) => removeOperator(tx, leaver.email, house.now()))
    await desk.addOperator('demoted', 'reviewer')
    for (const [at, { email }] of [leaver, demoted].entries()) {
      await expect(desk.confirm(grace, ids[at] ?? '')).rejects.toMatchObject({
        code: 'approval_not_open',
        message: `${email}, who proposed it, may not do it any more.`,
      })
    }
  })

  test('of a sample writes no more and no less than it showed', async () => {
    const id = await desk.propose(ada, SEED_RESIDENCY, {})
    const dutch = { ...rule, country: 'NL', borrowerType: 'individual' as const }
    await desk.ask(ada, SET_RESIDENCY, dutch, { isFourEyes: false })
    const before = await listResidencyRules(house.db)
    await expect(desk.confirm(grace, id)).rejects.toMatchObject(CHANGED)
    expect(await listResidencyRules(house.db)).toEqual(before)
  })
})

describe('one person who could be two', () => {
  let names = 0
  async function meet() {
    names += 1
    return [
      await desk.addOperator(`first${names}`, 'admin'),
      await desk.addOperator(`second${names}`, 'admin'),
    ] as const
  }
  const held = (ms: number) => ({ heldSince: addMs(house.now(), -ms) })

  test('who acts by a credential that was first used less than a day ago does not confirm', async () => {
    const [first, second] = await meet()
    const id = await propose(first)
    await expect(desk.confirm(second, id, held(DAY_MS - 1))).rejects.toMatchObject({
      ...{ code: 'scope_missing', message: expect.stringContaining(second.email) },
    })
    expect(await desk.confirm(second, id, held(DAY_MS))).toMatchObject({ action: 'residency.set' })
  })

  test('what was proposed by such a credential is confirmed when a day has passed', async () => {
    const [first, second] = await meet()
    const id = await desk.propose(first, SET_RESIDENCY, rule, held(0))
    await expect(desk.confirm(second, id)).rejects.toMatchObject({
      ...{ code: 'scope_missing', message: expect.stringContaining(first.email) },
    })
    const now = addMs(house.now(), DAY_MS)
    expect(await desk.confirm(second, id, { now })).toMatchObject({ action: 'residency.set' })
  })
})

describe('of the acts', () => {
  const statusesOf = async (borrowerId: string) => {
    const rows = await house.db
      .selectFrom('compliance_checks')
      .select('status')
      .where('borrower_id', '=', borrowerId)
      .execute()
    return rows.map(({ status }) => status)
  }
  const signAndEvaluate = async (borrowerId: string, fullName: string) => {
    const { db, tenantId } = house
    await sign(db, tenantId, borrowerId, { fullName, email: `${fullName}@example.com` })
    await evaluate(db, tenantId, borrowerId, { provider: createManualCompliance() })
  }
  const clearWork = () =>
    house.db.deleteFrom('work').where('topic', '=', 'evaluate-borrower').execute()
  /** Evaluated again: whether they are eligible may have changed. */
  const expectRequested = async (borrowerId: string) => {
    const work = house.db.selectFrom('work').select('subject_id')
    const rows = await work.where('topic', '=', 'evaluate-borrower').execute()
    expect(rows).toEqual([{ subject_id: borrowerId }])
  }
  async function addReviewed() {
    const borrowerId = await addBorrower(house.db, house.tenantId)
    await signAndEvaluate(borrowerId, 'Ada')
    return { tenantId: house.tenantId, borrowerId }
  }

  test('checks that wait are decided by one, those that failed are overridden by two, and none that failed since', async () => {
    const of = await addReviewed()
    expect(await desk.ask(reviewer, REJECT_BORROWER, of)).toMatchObject({ result: 2 })
    const id = await desk.propose(reviewer, APPROVE_BORROWER, of)
    expect(await statusesOf(of.borrowerId)).toEqual(['failed', 'failed'])
    await desk.confirm(ada, id)
    expect(await statusesOf(of.borrowerId)).toEqual(['passed', 'passed'])

    const other = await addReviewed()
    await desk.ask(reviewer, REJECT_BORROWER, other)
    const early = await desk.propose(reviewer, APPROVE_BORROWER, other)
    await signAndEvaluate(other.borrowerId, 'Alan')
    await desk.ask(reviewer, REJECT_BORROWER, other)
    await expect(desk.confirm(ada, early)).rejects.toMatchObject(CHANGED)
    expect(new Set(await statusesOf(other.borrowerId))).toEqual(new Set(['failed']))
  })

  test('an approval shows each check before and after, requests an evaluation, and is refused where there is nothing to decide', async () => {
    const of = await addReviewed()
    await clearWork()
    expect(await desk.ask(reviewer, APPROVE_BORROWER, of)).toMatchObject({ result: 2 })
    await expectRequested(of.borrowerId)
    const [{ before = {}, after = {} } = {}] = await desk.actionsOn(of.borrowerId)
    const shown = (checks: object) =>
      Object.values(checks)
        .map(({ kind, status }) => `${kind} ${status}`)
        .sort()
    expect(shown(before)).toEqual(['aml review', 'kyc review'])
    expect(shown(after)).toEqual(['aml passed', 'kyc passed'])
    await expect(desk.ask(reviewer, APPROVE_BORROWER, of)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('a block is set by one, renewed, and released by two who saw that very block', async () => {
    const of = { tenantId: house.tenantId, borrowerId: await addBorrower(house.db, house.tenantId) }
    await expect(desk.ask(risk, UNBLOCK_BORROWER, of)).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(await desk.actionsOn(of.borrowerId)).toEqual([])
    await desk.ask(risk, BLOCK_BORROWER, of)
    const first = await desk.propose(risk, UNBLOCK_BORROWER, of)
    house.advance(1)
    await desk.ask(reviewer, BLOCK_BORROWER, of)
    await expect(desk.confirm(ada, first)).rejects.toMatchObject(CHANGED)
    await clearWork()
    await desk.confirm(ada, await desk.propose(risk, UNBLOCK_BORROWER, of))
    await expectRequested(of.borrowerId)
    const [unblocked] = await desk.actionsOn(of.borrowerId)
    expect(unblocked).toMatchObject({ before: { blocked: true }, after: { blocked: false } })
  })

  test('a refund is redirected by two, and not when its payment is under way by then', async () => {
    const { id: facilityId } = await addDrawnFacility(house, usd(20_000_00n))
    house.payments.next = ['done', 'refused']
    await repay(house, facilityId, usd(20_500_00n))
    await settle(house)
    const { refund_id: refundId } = await house.db
      .selectFrom('refunds')
      .select('refund_id')
      .where('facility_id', '=', facilityId)
      .executeTakeFirstOrThrow()
    const request = { tenantId: house.tenantId, refundId, destination: 'account-2' }
    const id = await desk.propose(risk, REDIRECT_REFUND, request)
    const setOrdered = (ordered: unknown) =>
      sql`UPDATE refunds SET ordered = ${ordered} WHERE refund_id = ${refundId}`.execute(house.db)
    await setOrdered(sql`refusals`)
    await expect(desk.confirm(ada, id)).rejects.toMatchObject({
      ...{ code: 'validation_failed', message: expect.stringContaining('is under way') },
    })
    await setOrdered(null)
    await desk.confirm(ada, id)
    await settle(house)
    expect([...house.payments.effects.values()]).toContainEqual({
      ...{ amount: usd(500_00n), destination: 'account-2' },
    })
  })

  test('a version of the margin policy is stored and withdrawn by two, in time and after no other', async () => {
    const terms = showTerms(DEFAULT_MARGIN_POLICY)
    const version = (ms: number) => ({
      ...{ terms, effectiveFrom: addMs(house.now(), ms).toISOString() },
    })
    const setFrom = (ms: number) => desk.propose(risk, SET_MARGIN_POLICY, version(ms))
    const stored = () => listPolicyVersions(house.db)
    const soon = await setFrom(HOUR_MS)
    const tooLate = addMs(house.now(), HOUR_MS - 15 * MINUTE_MS + 1)
    await expect(desk.confirm(grace, soon, { now: tooLate })).rejects.toMatchObject({
      ...{ code: 'validation_failed', message: expect.stringContaining('15 minutes') },
    })
    const [first, second] = [await setFrom(DAY_MS), await setFrom(2 * DAY_MS)]
    expect(await stored()).toEqual([])
    await desk.confirm(grace, first)
    const signed = { note: 'board', proposedBy: risk.email, signedBy: grace.email }
    expect(await stored()).toMatchObject([{ number: 1, created: signed }])
    await expect(desk.confirm(grace, second)).rejects.toMatchObject(CHANGED)

    const withdrawal = await desk.propose(risk, WITHDRAW_MARGIN_POLICY, { number: 1 })
    expect((await stored())[0]?.withdrawn).toBeUndefined()
    await desk.confirm(ada, withdrawal)
    expect(await stored()).toMatchObject([{ withdrawn: { ...signed, signedBy: ada.email } }])
  })

  test('without four eyes all are done at once, by the system’s user too', async () => {
    const done = await desk.ask(SYSTEM, SET_RESIDENCY, rule, { isFourEyes: false })
    expect(done).toMatchObject({ kind: 'done' })
    expect(await rules()).toHaveLength(1)
  })
})

test('an act of an operator whose role changes meanwhile is refused by the role of its transaction', async () => {
  const stale = await desk.addOperator('stale', 'reviewer')
  await desk.addOperator('stale', 'viewer')
  const of = { tenantId: house.tenantId, borrowerId: await addBorrower(house.db, house.tenantId) }
  await expect(desk.ask(stale, BLOCK_BORROWER, of)).rejects.toMatchObject({ code: 'scope_missing' })
  expect(await desk.actionsOn(of.borrowerId)).toEqual([])
})

describe("a tenant's API key", () => {
  const key = (tenantId: string) => ({
    ...{ tenantId, publicKeyPem: generateKeyPair().publicKeyPem, label: 'desk' },
    ...{ scopes: ['borrower:read' as const], expiresAt: null },
  })

  test("another one of a tenant that has some takes two operators, the system's user included", async () => {
    const { tenantId } = house
    await desk.ask(SYSTEM, REGISTER_KEY, key(tenantId))
    const more = key(tenantId)
    await expect(desk.ask(SYSTEM, REGISTER_KEY, more)).rejects.toMatchObject({
      code: 'scope_missing',
    })
    const [first, second] = [
      await desk.addOperator('keys1', 'admin'),
      await desk.addOperator('keys2', 'admin'),
    ]
    const id = await desk.propose(first, REGISTER_KEY, more)
    expect(await listKeys(house.db, tenantId, house.now())).toHaveLength(1)
    await desk.confirm(second, id)
    expect(await listKeys(house.db, tenantId, house.now())).toHaveLength(2)
    // In the tenant's record as the lender's.
    const recorded = await house.db
      .selectFrom('console_actions')
      .select(['action', 'person_id'])
      .where('tenant_id', '=', tenantId)
      .execute()
    expect(recorded).toEqual(Array(2).fill({ action: 'createKey', person_id: null }))
  })
})
