import { Refusal } from '../../core/errors.ts'
import { usd } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import { type Borrower, getBorrower } from '../../domain/onboarding/borrowers.ts'
import { listAllReviews, listChecks, listReviews } from '../../domain/onboarding/reviews.ts'
import { listSignatures } from '../../domain/onboarding/signatures.ts'
import {
  APPROVE_BORROWER,
  BLOCK_BORROWER,
  REJECT_BORROWER,
  UNBLOCK_BORROWER,
} from '../../domain/operators/acts/borrower-acts.ts'
import { listWaitingApplications } from '../../domain/review-queue/applications.ts'
import { listBlockedBorrowers } from '../../domain/review-queue/blocked-borrowers.ts'
import { findByExternalId } from '../../domain/review-queue/find-by-external-id.ts'
import type { ChangeSession } from '../command/change.ts'
import { act, answerList, type CliCommand, change, list, read } from '../command/commands.ts'
import { BORROWER, MAYBE_BORROWER, OF_TENANT, TENANT } from '../command/members.ts'
import { FIRST_PAGE, readId } from '../command/options.ts'
import { type Answer, toMembers } from '../command/output.ts'
import { flag, type Given, optional, required } from '../command/parameters.ts'

const REVIEW = {
  borrowerId: MAYBE_BORROWER,
  approve: flag('--approve', 'pass the checks'),
  reject: flag('--reject', 'fail the checks', ['approve']),
  reason: optional('--note <text>', 'why, for the record'),
  tenantId: optional('--tenant <id>', 'one tenant, ten_…; needed to decide', readId('ten')),
}

export const BORROWER_COMMANDS: CliCommand[] = [
  change({
    name: 'borrowers review',
    about:
      'List the checks that wait for the operator, or decide those of one borrower. Approval also overrides failed checks.',
    examples: [
      'borrowers review',
      'borrowers review --tenant ten_…',
      'borrowers review bor_… --tenant ten_… --approve --note "passport seen on 3 November"',
      'borrowers review bor_… --tenant ten_… --reject --note "document forged"',
    ],
    takes: REVIEW,
    async change(session, given) {
      const { approve, reject, reason } = given
      if (approve || reject || reason !== undefined) return await decide(session, given)
      return await answerList(session.db, await findReviews(session.db, given), {
        columns: [
          ...['tenant_id', 'borrower_id', 'external_id', 'kind', 'full_name', 'created_at', 'note'],
        ],
        empty: 'No check waits for a decision.',
      })
    },
  }),
  act(BLOCK_BORROWER, {
    name: 'borrowers block',
    about:
      'Block a borrower from facilities and draws. A borrower not yet eligible does not become so.',
    examples: ['borrowers block bor_… --tenant ten_… --reason "court order 12/2026"'],
    needsReason: true,
    done: (_, { borrowerId }, { reason }) => ({
      data: { borrower_id: borrowerId, blocked: true, reason },
      shown: `Borrower ${borrowerId} is blocked.`,
    }),
  }),
  act(UNBLOCK_BORROWER, {
    name: 'borrowers unblock',
    about: 'Lift the block from a borrower.',
    examples: ['borrowers unblock bor_… --tenant ten_…'],
    done: (_, { borrowerId }) => ({
      data: { borrower_id: borrowerId, blocked: false },
      shown: `Borrower ${borrowerId} is no longer blocked.`,
    }),
  }),
  list({
    name: 'borrowers blocked',
    about: 'List the blocked borrowers, of all tenants, with the reason and who blocked them.',
    examples: ['borrowers blocked', 'borrowers blocked --tenant ten_…'],
    takes: { tenantId: OF_TENANT },
    list: async ({ db }, { tenantId }) =>
      (await listBlockedBorrowers(db, tenantId, FIRST_PAGE)).items.map((blocked) => ({
        ...{ tenantId: blocked.tenantId, borrowerId: blocked.borrowerId },
        ...{ blockedSince: blocked.blockedSince, reason: blocked.reason },
        blockedBy: blocked.blockedBy?.actor,
      })),
    columns: ['tenant_id', 'borrower_id', 'external_id', 'blocked_since', 'blocked_by', 'reason'],
    empty: 'No borrower is blocked.',
  }),
  read({
    name: 'borrowers show',
    about: 'Show a borrower, its signatures and its checks.',
    examples: ['borrowers show bor_… --tenant ten_…'],
    takes: { borrowerId: BORROWER, tenantId: TENANT },
    read: async ({ db }, given) => await showBorrower(db, given),
  }),
  list({
    name: 'borrowers find',
    about:
      'List the borrowers and facilities, of all tenants, with an id that their tenant has given.',
    examples: ['borrowers find customer-4711', 'borrowers find customer-4711 --tenant ten_…'],
    takes: { externalId: required('<external_id>', "the tenant's own id"), tenantId: OF_TENANT },
    list: async ({ db }, asked) => await findByExternalId(db, asked),
    columns: ['tenant_id', 'kind', 'id'],
    empty: 'No borrower or facility has this id.',
  }),
]

export const APPLICATION_COMMANDS: CliCommand[] = [
  list({
    name: 'applications list',
    about:
      'List the applications that are not decided, longest waiting first, and what each waits for.',
    examples: ['applications list', 'applications list --tenant ten_…'],
    takes: { tenantId: OF_TENANT },
    async list({ db, now, stack }, { tenantId }) {
      const policy = { ...DEFAULT_POLICY, requireControl: stack === 'live' }
      const of = { tenantId, policy, realNow: now }
      const { items } = await listWaitingApplications(db, of, FIRST_PAGE)
      return items.map(({ tenantName: _, waitedMs: _waited, limitCents, ...application }) => ({
        ...application,
        limit: usd(limitCents),
      }))
    },
    columns: [
      ...['tenant_id', 'facility_id', 'external_id', 'limit', 'waiting_since', 'waits_for'],
      ...['decided_by', 'error'],
    ],
    empty: 'No application waits.',
  }),
]

async function findReviews(db: Db, { tenantId, borrowerId }: Given<typeof REVIEW>) {
  if (tenantId !== undefined && borrowerId !== undefined)
    await getBorrower(db, tenantId, borrowerId)
  const reviews =
    tenantId === undefined ? await listAllReviews(db) : await listReviews(db, tenantId)
  return reviews.filter((review) => borrowerId === undefined || review.borrowerId === borrowerId)
}

async function decide(
  { actOrPropose }: ChangeSession,
  { borrowerId, tenantId, approve, reject, reason: note = '' }: Given<typeof REVIEW>,
): Promise<Answer> {
  if (borrowerId === undefined) throw refuse('Name the borrower to decide on.')
  if (tenantId === undefined) throw refuse("Name the borrower's tenant with --tenant.")
  if (!approve && !reject) throw refuse('Add --approve or --reject.')
  if (note.trim() === '') throw refuse('Add the reason for the decision with --note.')
  const guarded = approve ? APPROVE_BORROWER : REJECT_BORROWER
  const decision = approve ? 'approved' : 'rejected'
  return await actOrPropose(guarded, { tenantId, borrowerId }, (count) => ({
    data: { borrower_id: borrowerId, decision, checks_decided: count, note },
    shown: `${count} ${count === 1 ? 'check' : 'checks'} of ${borrowerId} ${decision}. Eligibility is evaluated in a moment.`,
  }))
}

const refuse = (detail: string) => new Refusal('validation_failed', detail)

/** Refuses `not_found`. */
async function showBorrower(
  db: Db,
  { tenantId, borrowerId }: { tenantId: string; borrowerId: string },
): Promise<Answer> {
  const borrower = toItem(await getBorrower(db, tenantId, borrowerId))
  const signatures = (await listSignatures(db, tenantId, borrowerId)).map(toMembers)
  const checks = (await listChecks(db, tenantId, borrowerId)).map(toMembers)
  return { data: { ...toMembers(borrower), signatures, checks } }
}

function toItem({ block, isErased, ...borrower }: Borrower) {
  const { at: blockedAt, reason: blockedReason } = block ?? {}
  return { ...borrower, ...(isErased && { erased: true }), blockedAt, blockedReason }
}
