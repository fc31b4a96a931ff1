import { newId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import { inTransaction } from '../../../db/database.ts'
import { isOther } from '../../collateral/position-sources.ts'
import type { Position } from '../../collateral/valuation.ts'
import { NO_SALES, selectSalesProgress } from '../../facilities/custody/holding-queries.ts'
import { endInquiries } from '../../facilities/custody/inquiry-queries.ts'
import { basisOf } from '../../facilities/custody/read-positions.ts'
import { type Facility, getFacility, toFacility } from '../../facilities/facilities.ts'
import { lockFacilities } from '../../facilities/locked-facility.ts'
import { selectFacilitiesOf } from '../../facilities/queries.ts'
import { EVALUATE_AFTER } from '../../facilities/topics.ts'
import type { ItemResult } from '../../work/run-work.ts'
import { requestWorks, type WorkResult } from '../../work/work.ts'
import type { Confirmed } from '../case.ts'
import { ASK_AGAIN_MS } from '../evaluation/question.ts'
import { selectQuestions, updateQuestions } from '../evaluation/question-queries.ts'
import { confirmPositions } from './confirm-positions.ts'
import type { EscalationContext } from './escalate.ts'
import { isStillConfirmed, runTogether } from './run-together.ts'

/** A push that the custodian is asked about; a sale since makes the answer void. */
type Asked = {
  facility: Facility
  digest: Buffer
  changedAt: Date | null
  pushed: PushedUnits
  last: PushedUnits | null
  /** Since when; a new question is about its own push, and the first one outlasts further pushes. */
  openSince: Date
  isWaitedFor: boolean
  sales: string
}

type PushedUnits = Readonly<Record<string, string>>

type Answered = Asked & Confirmed

/** With one call for many of one tenant; what that leaves unanswered is asked alone. */
export async function confirmPushes(
  context: EscalationContext,
  tenantId: string,
  facilityIds: readonly string[],
  onFallback: (error: unknown) => void,
): Promise<ItemResult[]> {
  return await runTogether(
    context,
    { tenantId, facilityIds },
    {
      async together(results) {
        const ended = await confirmTogether(context, tenantId, facilityIds)
        for (const id of ended) results.set(id, { done: true })
      },
      alone: (id) => confirmPush(context, tenantId, id),
      onFallback,
    },
  )
}

export async function confirmPush(
  context: EscalationContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const { db } = context
  const facility = await getFacility(db, tenantId, facilityId)
  const [asked] = await selectAsked(context, tenantId, [facility])
  if (!asked) {
    // A late answer to the open question must not count for the next one.
    await endInquiries(db, { tenantId, facilityIds: [facilityId], purpose: 'push' })
    return { done: true }
  }
  const instant = await context.instant(tenantId)
  const basis = `${asked.openSince.toISOString()}, ${asked.sales}`
  const answer = await confirmPositions(context, facility, { purpose: 'push', basis }, instant)
  if ('askAgainAt' in answer) return { done: false, retryAt: answer.askAgainAt }
  const stored = await storeAnswers(context, tenantId, [{ ...asked, ...answer }])
  return stored.has(facilityId)
    ? { done: true }
    : { done: false, retryAt: addMs(instant.realNow, ASK_AGAIN_MS) }
}

async function confirmTogether(
  context: EscalationContext,
  tenantId: string,
  facilityIds: readonly string[],
): Promise<Set<string>> {
  const { db, custodian } = context
  const facilities = (await selectFacilitiesOf(db, tenantId, facilityIds)).map(toFacility)
  const asked = await selectAsked(context, tenantId, facilities)
  const isAsked = new Set(asked.map(({ facility }) => facility.id))
  const ended = facilityIds.filter((id) => !isAsked.has(id))
  await endInquiries(db, { tenantId, facilityIds: ended, purpose: 'push' })
  if (asked.length === 0) return new Set(ended)
  const instant = await context.instant(tenantId)
  const answers = await custodian.readings({
    tenantId,
    callId: newId('rdg'),
    realNow: instant.realNow,
    decides: true,
    accounts: asked.map(({ facility: { id, borrowerId, custodyAccount } }) => {
      return { account: custodyAccount, facilityId: id, borrowerId }
    }),
  })
  const answered = asked.flatMap((one): Answered[] => {
    const answer = answers.get(one.facility.id)
    if (answer?.status !== 'done') return []
    return [{ ...one, positions: [...answer.positions], askedAt: instant.now }]
  })
  const { realNow } = await context.instant(tenantId)
  if (!isStillConfirmed(instant.realNow, realNow)) return new Set(ended)
  const stored = await storeAnswers(context, tenantId, answered)
  await endInquiries(db, { tenantId, facilityIds: [...stored], purpose: 'push' })
  return new Set([...ended, ...stored])
}

async function selectAsked(
  { db }: EscalationContext,
  tenantId: string,
  facilities: readonly Facility[],
): Promise<Asked[]> {
  const approved = facilities.filter(({ state }) => state === 'APPROVED')
  if (approved.length === 0) return []
  const borrowerIds = approved.map(({ borrowerId }) => borrowerId)
  const questions = await selectQuestions(db, tenantId, borrowerIds)
  const salesOf = await selectSalesProgress(db, tenantId, borrowerIds)
  const questionOf = new Map(questions.map((row) => [row.borrower_id, row]))
  return approved.flatMap((facility) => {
    const question = questionOf.get(facility.borrowerId)
    const { settled, orders } = salesOf.get(facility.borrowerId) ?? NO_SALES
    // An order under way may or may not be in the answer; the end of its call evaluates again.
    if (!question || settled < orders) return []
    return {
      facility,
      digest: question.digest,
      changedAt: question.changed_at,
      pushed: question.positions,
      last: question.confirmed,
      openSince: question.open_since,
      isWaitedFor: question.asked_since !== null,
      sales: basisOf({ settled, orders, executedAt: undefined }),
    }
  })
}

/** Returns those that need nothing more: after an answer from before the newest push the question goes on. */
async function storeAnswers(
  context: EscalationContext,
  tenantId: string,
  answers: readonly Answered[],
): Promise<Set<string>> {
  if (answers.length === 0) return new Set()
  const ids = answers.map(({ facility }) => facility.id)
  const instant = await context.instant(tenantId)
  return await inTransaction(context.db, async (tx) => {
    const locked = await lockFacilities({ tx, tenantId, ...instant }, ids, 'pass over')
    const asked = await selectAsked(
      { ...context, db: tx },
      tenantId,
      locked.map(({ facility }) => facility),
    )
    const nowOf = new Map(asked.map((one) => [one.facility.id, one]))
    const isLocked = new Set(locked.map(({ facility }) => facility.id))
    const taken = answers.flatMap((answer) => {
      const now = nowOf.get(answer.facility.id)
      return now?.sales === answer.sales ? [{ ...now, answer }] : []
    })
    const answered = await updateQuestions(
      tx,
      tenantId,
      taken.map(({ facility: { borrowerId }, answer }) => {
        const { digest, positions, askedAt } = answer
        const left = { askedSince: undefined, checkingSince: undefined }
        return { borrowerId, digest, ...left, answer: { positions, askedAt } }
      }),
    )
    const topic = EVALUATE_AFTER.collateral
    const works = taken.flatMap((one) =>
      isToEvaluate(one) ? [{ topic, subjectId: one.facility.id }] : [],
    )
    await requestWorks(tx, tenantId, works, instant.realNow)
    // Not by what was read: a push may have been committed since, and its question stays open.
    const ended = taken.filter(({ facility }) => answered.has(facility.borrowerId))
    const isEnded = new Set(ended.map(({ facility }) => facility.id))
    // No longer asked about: nothing is left to answer.
    return new Set(ids.filter((id) => isEnded.has(id) || (isLocked.has(id) && !nowOf.has(id))))
  })
}

type Taken = Asked & { answer: Answered }

function isAboutPush({ digest, changedAt, answer }: Taken): boolean {
  return digest.equals(answer.digest) && (changedAt === null || answer.askedAt >= changedAt)
}

/** An answer that nothing waits for, and that repeats what is pushed, decides nothing. */
function isToEvaluate(taken: Taken): boolean {
  const { isWaitedFor, pushed, last, answer } = taken
  if (isWaitedFor || !isAboutPush(taken)) return true
  const held = toPositions(pushed)
  const before = last ? toPositions(last) : held
  return [held, before].some((ones) => isOther(ones, answer.positions))
}

function toPositions(units: PushedUnits): Position[] {
  return Object.entries(units).map(([asset, text]) => ({ asset, units: BigInt(text) }))
}
