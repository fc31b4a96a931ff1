import { z } from 'zod'
import { usd } from '../../../core/money.ts'
import {
  listWaitingApplications,
  type WaitingApplication,
} from '../../../domain/review-queue/applications.ts'
import {
  type BlockedBorrower,
  listBlockedBorrowers,
} from '../../../domain/review-queue/blocked-borrowers.ts'
import {
  listWaitingChecks,
  type WaitingCheck,
} from '../../../domain/review-queue/waiting-checks.ts'
import { APPLICATION_WAITS } from '../../../domain/review-queue/why-waiting.ts'
import { amountSchema } from '../../schemas/amounts.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idFilter, idText, pageOf, timestamp, toPageBody } from '../../schemas/fields.ts'
import { deskPageQuery, type OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'

const OF_TENANT = {
  tenant_id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c',
  tenant_name: 'Acme',
  borrower_id: 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c',
}

const REVIEW_EXAMPLE = {
  ...OF_TENANT,
  borrower_type: 'individual' as const,
  residency: 'US-CA',
  check_id: 'chk_01k9x4m2q8e0tb7f2v5j6h8n3c',
  kind: 'aml' as const,
  waiting_since: '2026-11-22T12:00:00.000Z',
  waited_seconds: 5_400,
}

const ofTenant = { tenant_id: idText('ten'), tenant_name: z.string(), borrower_id: idText('bor') }
const borrowerType = z.enum(['individual', 'business'])
const checkKind = z.enum(['kyc', 'kyb', 'aml'])
const waitedSeconds = z.int().describe("By the tenant's own clock")

const reviewSchema = z
  .strictObject({
    ...ofTenant,
    borrower_type: borrowerType,
    residency: z.string().describe('Country, or country and state'),
    check_id: idText('chk'),
    kind: checkKind,
    waiting_since: timestamp,
    waited_seconds: waitedSeconds,
  })
  .meta({ id: 'Review', examples: [REVIEW_EXAMPLE] })

const APPLICATION_EXAMPLE = {
  ...OF_TENANT,
  facility_id: 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c',
  limit: { amount: '20000.00', asset: 'USD' },
  waiting_since: '2026-11-22T12:00:00.000Z',
  waited_seconds: 5_400,
  waits_for: 'portfolio_missing' as const,
  error: null,
  decided_by: '2026-11-23T12:00:00.000Z',
}

const applicationSchema = z
  .strictObject({
    ...ofTenant,
    facility_id: idText('fac'),
    limit: amountSchema,
    waiting_since: timestamp,
    waited_seconds: waitedSeconds,
    waits_for: z.enum(APPLICATION_WAITS),
    error: z.string().nullable().describe('Of the last try, where it failed'),
    decided_by: timestamp.describe('By then it is decided with what is known'),
  })
  .meta({ id: 'WaitingApplication', examples: [APPLICATION_EXAMPLE] })

const BLOCKED_EXAMPLE = {
  ...OF_TENANT,
  borrower_type: 'individual' as const,
  blocked_since: '2026-11-22T12:00:00.000Z',
  reason: 'court order 12/2026',
  blocked_by: 'ada@lender.example',
  action_number: 42,
}

const blockedSchema = z
  .strictObject({
    ...ofTenant,
    borrower_type: borrowerType,
    blocked_since: timestamp,
    reason: z.string(),
    blocked_by: z
      .string()
      .nullable()
      .describe('As `actor` of the action; null where none is known'),
    action_number: z.int().nullable(),
  })
  .meta({ id: 'BlockedBorrower', examples: [BLOCKED_EXAMPLE] })

const tenantQuery = { ...deskPageQuery, tenant_id: idFilter('ten').optional() }

export function reviewQueueRoutes(app: OperatorApp, context: OperatorContext): void {
  addReviews(app, context)
  addApplications(app, context)
  addBlocked(app, context)
}

function addReviews(app: OperatorApp, { db, clock, cursors }: OperatorContext): void {
  app.get('/reviews', {
    id: 'listReviews',
    summary:
      "List the checks of all tenants that wait, longest waiting first, without signers' data",
    tag: 'Reviews',
    querystring: z.strictObject({ ...tenantQuery, kind: checkKind.optional() }),
    response: { 200: pageOf(reviewSchema, 'ReviewPage', REVIEW_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const { tenant_id: tenantId, kind } = request.query
      const list = { request: request.query, cursors }
      return toPageBody(await listWaitingChecks(db, { tenantId, kind }, list, clock()), toReview)
    },
  })
}

function addApplications(app: OperatorApp, { db, clock, cursors, config }: OperatorContext): void {
  app.get('/applications', {
    id: 'listApplications',
    summary: 'List the applications of all tenants that are not decided, and what each waits for',
    tag: 'Reviews',
    querystring: z.strictObject(tenantQuery),
    response: { 200: pageOf(applicationSchema, 'ApplicationPage', APPLICATION_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const of = { tenantId: request.query.tenant_id, policy: config.policy, realNow: clock() }
      const list = { request: request.query, cursors }
      return toPageBody(await listWaitingApplications(db, of, list), toApplication)
    },
  })
}

function addBlocked(app: OperatorApp, { db, cursors }: OperatorContext): void {
  app.get('/borrowers/blocked', {
    id: 'listBlockedBorrowers',
    summary: 'List the blocked borrowers of all tenants, blocked for longest first',
    tag: 'Reviews',
    querystring: z.strictObject(tenantQuery),
    response: { 200: pageOf(blockedSchema, 'BlockedBorrowerPage', BLOCKED_EXAMPLE) },
    errors: ['cursor_invalid'],
    async handler(request) {
      const list = { request: request.query, cursors }
      return toPageBody(await listBlockedBorrowers(db, request.query.tenant_id, list), toBlocked)
    },
  })
}

const toSeconds = (ms: number) => Math.max(0, Math.floor(ms / 1_000))

const showReview = bodyOf(reviewSchema)
const showApplication = bodyOf(applicationSchema)
const showBlocked = bodyOf(blockedSchema)

const toReview = ({ residencyCountry, residencyState, waitedMs, ...check }: WaitingCheck) =>
  showReview({
    ...{ ...check, waitedSeconds: toSeconds(waitedMs) },
    residency: [residencyCountry, residencyState].filter(Boolean).join('-'),
  })

const toApplication = ({ limitCents, waitedMs, ...application }: WaitingApplication) =>
  showApplication({ ...application, limit: usd(limitCents), waitedSeconds: toSeconds(waitedMs) })

const toBlocked = ({ blockedBy, ...blocked }: BlockedBorrower) =>
  showBlocked({
    ...{ ...blocked, blockedBy: blockedBy?.actor },
    actionNumber: blockedBy && Number(blockedBy.actionNumber),
  })
