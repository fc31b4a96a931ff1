import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeService } from '../../../scripts/openapi/describe-service.ts'
import { type IdPrefix, newId } from '../../../src/core/ids.ts'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import {
  mayDo,
  OPERATOR_ROLES,
  type Operator,
  type OperatorActName,
  type OperatorRole,
} from '../../../src/domain/operators/roles.ts'
import { createManualCompliance } from '../../../src/providers/compliance-manual.ts'
import { type Operation, operationsOf, parametersOf } from '../../attacks/fuzz/document.ts'
import type { TestTenant } from '../../support/api/api.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { addBorrower, evaluate, sign } from '../../support/lending/onboarding.ts'
import { sealOf } from '../../support/lending/sealed.ts'
import { inviteToTenant } from '../../support/people.ts'
import { createFingerprint } from '../../support/stores/fingerprint.ts'

type Person = { operator: Operator; token: string; cookie: string }

let fingerprint: () => Promise<string>
const people = {} as Record<OperatorRole | 'second' | 'proposer', Person>
const now = new Date()
const { api, operators } = operatorApiForFile({
  env: { FOUR_EYES: 'on', ERASED_FILE: join(tmpdir(), `erased-${process.pid}.jsonl`) },
  clock: () => now,
})
beforeAll(async () => {
  for (const role of OPERATOR_ROLES) people[role] = await operators.addOperator(role)
  people.second = await operators.addOperator('admin')
  people.proposer = await operators.addOperator('risk')
  fingerprint = await createFingerprint(api.db)
})
let tenant: TestTenant
let ofTenant = { tenant_id: '' }
beforeEach(async () => {
  tenant = await api.addTenant()
  ofTenant = { tenant_id: tenant.id }
})

const post = async (path: string, body: object = {}, by: Person = people.admin) => {
  const answer = await operators.send(path, { cookie: by.cookie, method: 'POST', body })
  expect(answer.status).toBeLessThan(300)
  return answer.json()
}

/** What an operation needs, and what it then records about its arguments. */
type Change = {
  path?: Record<string, string>
  body?: object
  action: OperatorActName
  subject: { kind: string; id: unknown } | null
  tenant_id?: string
  before?: object
  after?: object
  /** By default the first whose role allows the action. */
  by?: OperatorRole
  /** A second operator confirms it. */
  isProposed?: true
  /** The act and its confirmation are recorded both. */
  isConfirmation?: true
}

const borrowerAct = async (
  action: OperatorActName,
  more: Partial<Change> = {},
  former: 'block' | 'reject' | undefined = undefined,
): Promise<Change> => {
  const borrowerId = await addBorrower(api.db, tenant.id)
  await sign(api.db, tenant.id, borrowerId, { fullName: 'Grace Hopper' })
  await evaluate(api.db, tenant.id, borrowerId, { provider: createManualCompliance() })
  const path = { ...ofTenant, borrower_id: borrowerId }
  if (former) await post(`${fill(BORROWER, path)}/${former}`, { reason: 'earlier' })
  return { path, action, subject: { kind: 'borrower', id: borrowerId }, ...ofTenant, ...more }
}
const BORROWER = '/tenants/{tenant_id}/borrowers/{borrower_id}'

const tenantAct = (action: OperatorActName, more: Partial<Change>): Change => ({
  ...{ path: ofTenant, action, subject: { kind: 'tenant', id: tenant.id }, ...ofTenant, ...more },
})

const operatorAct = async (action: OperatorActName, more: Partial<Change>): Promise<Change> => {
  const { operator } = await operators.addOperator('viewer')
  return {
    path: { id: operator.id },
    action,
    subject: { kind: 'operator', id: operator.id },
    ...more,
  }
}

const RULE = { country: 'FR', borrower_type: 'business', allowed: true }
const RULE_SUBJECT = { kind: 'residency_rule', id: 'FR/business' }
const proposeRule = async (limit: string) => {
  const body = { ...RULE, max_limit_usd: limit, reason: 'as agreed' }
  return (await post('/residency', body, people.proposer)).approval_id
}

const VERSION = { contract_type: 'master_loan_agreement', contract_version: '2026-12' }
const FILE = { title: 'Agreement', download_url: 'https://example.com/mla.pdf' }
const DOCUMENT = { kind: 'document', id: 'master_loan_agreement/2026-12' }

let days = 0
const newVersion = () => {
  days += 1
  const from = addMs(now, days * DAY_MS).toISOString()
  return { terms: { haircuts: { ETH: '0.10' } }, effective_from: from }
}
const versionSubject = (number: number) => ({ kind: 'margin_policy_version', id: String(number) })
const nextVersion = async () => {
  const { versions } = (await operators.send('/margin-policy', people.viewer)).json()
  return versions.length + 1
}

const token = () => ({
  ...{ operator_id: people.admin.operator.id, name: 'script' },
  expires_at: addMs(now, DAY_MS).toISOString(),
})

async function addLoan(ofBorrower?: string): Promise<string> {
  const borrowerId = ofBorrower ?? (await addBorrower(api.db, tenant.id))
  const facilityId = newId('fac')
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      accrued_at, created_at, updated_at)
    VALUES (${tenant.id}, ${facilityId}, ${borrowerId}, 'APPROVED', 100000, 95000, now(), now(),
      now())`.execute(api.db)
  return facilityId
}

/** Bound to the service's own terms. */
async function addBoundFacility(): Promise<string> {
  const id = await addLoan()
  await sql`UPDATE facilities SET terms_version = 0 WHERE facility_id = ${id}`.execute(api.db)
  return id
}

/** A repayment whose transfer pays another one. */
async function contestedAct(action: OperatorActName, after: object): Promise<Change> {
  const [facilityId, id] = [await addLoan(), newId('rep')]
  await sql`INSERT INTO repayments (tenant_id, repayment_id, facility_id, status, asset, amount_units,
      delivered_units, reference, requested_at, reported_at, contested_transfer, undecided_since)
    VALUES (${tenant.id}, ${id}, ${facilityId}, 'REPORTED', 'USD', 50000, 50000, 'wire-1', now(),
      now(), 'mt103', now())`.execute(api.db)
  const path = { ...ofTenant, repayment_id: id }
  const before = { transfer: 'mt103' }
  return { path, action, subject: { kind: 'repayment', id }, ...ofTenant, before, after }
}

/** A repayment of 500.00 for which 700.00 were received. */
async function suspenseAct(action: OperatorActName, more: Partial<Change>): Promise<Change> {
  const [facilityId, id] = [await addLoan(), newId('rep')]
  await sql`INSERT INTO repayments (tenant_id, repayment_id, facility_id, status, asset, amount_units,
      delivered_units, reference, confirmed_asset, confirmed_units, suspended_units, requested_at,
      reported_at, applied_at, value_at, undecided_since)
    VALUES (${tenant.id}, ${id}, ${facilityId}, 'APPLIED', 'USD', 50000, 50000, 'wire-1', 'USD', 50000,
      20000, now(), now(), now(), now(), now())`.execute(api.db)
  const path = { ...ofTenant, repayment_id: id }
  const before = { in_suspense: { amount: '200.00', asset: 'USD' } }
  const subject = { kind: 'repayment', id }
  return { path, action, subject, ...ofTenant, before, isProposed: true, ...more }
}

async function breakAct(action: OperatorActName): Promise<Change> {
  const id = newId('brk')
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, day, found_at,
      written_at)
    VALUES (${tenant.id}, ${id}, 'missing_here', 'bank', ${id}, '2026-11-20', now(),
      now())`.execute(api.db)
  const subject = { kind: 'break', id }
  const before = { kind: 'missing_here', item: id }
  return { path: { ...ofTenant, break_id: id }, action, subject, ...ofTenant, before }
}

/** Of 500.00, which the treasury has refused once. */
async function addRefusedRefund() {
  const borrowerId = await addBorrower(api.db, tenant.id)
  const refundId = newId('rfd')
  const facilityId = await addLoan(borrowerId)
  const of = { tenantId: tenant.id, borrowerId }
  const destination = await sealOf(api.db, of, 'account-1', 'destination')
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units, cents,
      destination, status, refusals, created_at)
    VALUES (${tenant.id}, ${refundId}, ${facilityId}, 'rep_1', 'USD', 50000, 50000, ${destination}, 'PENDING',
      1, now())`.execute(api.db)
  return refundId
}

const CHANGES: Record<string, () => Change | Promise<Change>> = {
  approveBorrower: () => borrowerAct('borrowers.approve'),
  'approveBorrower, after a rejection': () =>
    borrowerAct('borrowers.approve', { isProposed: true }, 'reject'),
  rejectBorrower: () => borrowerAct('borrowers.reject'),
  revealReviews: () => borrowerAct('borrowers.reveal'),
  exportBorrower: () => borrowerAct('borrowers.export', { after: { for: 'person' } }),
  async eraseBorrower() {
    const id = await addBorrower(api.db, tenant.id)
    const path = { ...ofTenant, borrower_id: id }
    const states = { before: { erased: false }, after: { erased: true } }
    return {
      ...{ path, action: 'borrowers.erase', ...ofTenant, ...states, isProposed: true },
      subject: { kind: 'borrower', id },
    }
  },
  blockBorrower: () => borrowerAct('borrowers.block', { after: { blocked: true } }),
  unblockBorrower: () =>
    borrowerAct('borrowers.unblock', { after: { blocked: false }, isProposed: true }, 'block'),
  createTenant: () => ({
    ...{ action: 'tenants.create', body: { name: 'Acme' }, after: { name: 'Acme' } },
    subject: { kind: 'tenant', id: expect.stringMatching(/^ten_/) },
  }),
  suspendTenant: () => tenantAct('tenants.suspend', { after: { suspended: true } }),
  async resumeTenant() {
    await post(`/tenants/${tenant.id}/suspend`, { reason: 'court order' })
    const before = { suspended: true, reason: 'court order' }
    return tenantAct('tenants.resume', { before, after: { suspended: false } })
  },
  revokeTenantKey: () => ({
    ...{ path: { ...ofTenant, key_id: tenant.keyId }, action: 'keys.revoke', ...ofTenant },
    subject: { kind: 'key', id: tenant.keyId },
  }),
  registerTenantKey() {
    const after = { label: 'billing', scopes: ['borrower:read'] }
    const body = { ...after, public_key_pem: generateKeyPair().publicKeyPem }
    return tenantAct('keys.register', { body, after, isProposed: true })
  },
  inviteTenantPerson() {
    const after = { email: 'ada@example.com', name: 'Ada', role: 'developer' }
    return tenantAct('console.invite', { body: after, after, isProposed: true })
  },
  async removeTenantPerson() {
    const member = { email: 'ada@example.com', name: 'Ada', role: 'viewer' } as const
    const { id } = await inTransaction(
      api.db,
      async (tx) => (await inviteToTenant(tx, tenant.id, member, now)).person,
    )
    const path = { ...ofTenant, person_id: id }
    return { path, action: 'console.remove', subject: { kind: 'console_person', id }, ...ofTenant }
  },
  publishTenantDocument: () => ({
    ...{ path: ofTenant, action: 'documents.publish', subject: DOCUMENT, ...ofTenant },
    ...{ body: { ...VERSION, ...FILE }, after: { ...FILE, content_type: 'application/pdf' } },
  }),
  async retireTenantDocument() {
    await post(`/tenants/${tenant.id}/documents`, { ...VERSION, ...FILE, reason: 'rates' })
    const of = { path: ofTenant, body: VERSION, ...ofTenant }
    return { ...of, action: 'documents.retire', subject: DOCUMENT }
  },
  setResidencyRule: () => ({
    ...{ action: 'residency.set', subject: RULE_SUBJECT, isProposed: true },
    body: { ...RULE, rate: '0.08', max_limit_usd: '5000.00' },
    after: { allowed: true, rate: '0.08', max_limit_usd: '5000.00' },
  }),
  proposeMarginPolicy: async () => ({
    ...{ action: 'margin_policy.set', body: newVersion(), isProposed: true },
    subject: versionSubject(await nextVersion()),
    after: { haircuts: { BTC: '0.03', ETH: '0.1' }, preview: { sold: 0 } },
  }),
  async withdrawMarginPolicy() {
    const number = await nextVersion()
    const body = { ...newVersion(), reason: 'volatility' }
    const { approval_id: id } = await post('/margin-policy', body, people.risk)
    await post(`/approvals/${id}/confirm`, {}, people.second)
    const path = { number: String(number) }
    const subject = versionSubject(number)
    return { path, action: 'margin_policy.withdraw', subject, isProposed: true }
  },
  async redirectRefund() {
    const id = await addRefusedRefund()
    return {
      ...{ path: { ...ofTenant, refund_id: id }, action: 'refunds.redirect', ...ofTenant },
      ...{ body: { destination: 'account-2' }, subject: { kind: 'refund', id }, isProposed: true },
      ...{ before: { destination: 'account-1' }, after: { destination: 'account-2' } },
    }
  },
  async holdFacility() {
    const facilityId = await addLoan()
    const path = { ...ofTenant, facility_id: facilityId }
    return {
      ...{ path, action: 'facilities.hold', subject: { kind: 'facility', id: facilityId } },
      ...{ ...ofTenant, body: { kind: 'freeze' }, after: { kind: 'freeze' } },
    }
  },
  async releaseFacility() {
    const facilityId = await addLoan()
    const path = { ...ofTenant, facility_id: facilityId }
    await post(`/tenants/${tenant.id}/facilities/${facilityId}/holds`, {
      ...{ kind: 'freeze', reason: 'order 12' },
    })
    const { pause_id } = await api.db
      .selectFrom('facility_pauses')
      .select('pause_id')
      .where('facility_id', '=', facilityId)
      .executeTakeFirstOrThrow()
    return {
      ...{ path: { ...path, hold_id: pause_id }, action: 'facilities.release', ...ofTenant },
      ...{ subject: { kind: 'facility', id: facilityId }, isProposed: true },
      ...{ before: { kind: 'freeze' }, after: { on_hold: false } },
    }
  },
  async amendFacility() {
    const facilityId = await addBoundFacility()
    return {
      ...{
        path: { ...ofTenant, facility_id: facilityId },
        action: 'facilities.amend',
        ...ofTenant,
      },
      ...{ body: { rate: '0.12' }, subject: { kind: 'facility', id: facilityId } },
      ...{ isProposed: true, before: { version: 0, rate: '0.095' } },
      after: { version: null, rate: '0.12', with_notice: [facilityId], without_notice: [] },
    }
  },
  async amendFacilities() {
    const bound = [await addBoundFacility(), await addBoundFacility()]
    const version = await nextVersion()
    await sql`INSERT INTO margin_policy_versions
        (number, terms, effective_from, note, proposed_by, signed_by, created_at)
      VALUES (${version}, '{"floor_ltv": "0.65", "haircuts": {}}', now() - interval '1 day', 'risk',
        'ada', 'grace', now() - interval '2 days')`.execute(api.db)
    return {
      ...{ action: 'facilities.amend', body: { version, tenant_id: tenant.id }, isProposed: true },
      ...{ subject: versionSubject(version), ...ofTenant },
      after: { version, rate: null, with_notice: expect.arrayContaining(bound) },
    }
  },
  async withdrawAmendment() {
    const facilityId = await addBoundFacility()
    await sql`UPDATE facilities SET next_terms_at = '2100-01-01', next_rate_ppm = 120000,
        times_amended = 1
      WHERE facility_id = ${facilityId}`.execute(api.db)
    return {
      ...{ path: { ...ofTenant, facility_id: facilityId }, ...ofTenant, isProposed: true },
      ...{ action: 'facilities.withdraw_amendment', subject: { kind: 'facility', id: facilityId } },
      ...{ before: { version: null, rate: '0.12' }, after: { withdrawn: true } },
    }
  },
  async correctFacility() {
    const facilityId = await addLoan()
    const path = { ...ofTenant, facility_id: facilityId }
    const until = new Date(Date.now() + 86_400_000).toISOString()
    return {
      ...{ path, action: 'facilities.correct', subject: { kind: 'facility', id: facilityId } },
      ...{ ...ofTenant, body: { kind: 'forbearance', until }, isProposed: true },
      ...{ before: { state: 'APPROVED', entries: 0 }, after: { correction: 'forbearance', until } },
    }
  },
  askAboutReceipt: () => contestedAct('receipts.ask_again', { decision: 'asked_again' }),
  refuseReceipt: () => contestedAct('receipts.refuse', { decision: 'not_received' }),
  applySuspense: () => suspenseAct('receipts.apply', { after: { decision: 'applied' } }),
  returnSuspense: () =>
    suspenseAct('receipts.return', {
      body: { destination: 'account-2' },
      after: { decision: 'returned', destination: 'account-2' },
    }),
  async checkPayment() {
    const act = await suspenseAct('payments.check', {
      after: { decision: 'checked_again' },
    })
    const id = String(act.subject?.id)
    await sql`INSERT INTO confirmed_transfers (tenant_id, transfer_id, repayment_id)
      VALUES (${tenant.id}, ${id}, ${id})`.execute(api.db)
    const { before: _, isProposed: __, ...rest } = act
    return { ...rest, path: { ...ofTenant, payment_id: id } }
  },
  async dismissPayment() {
    const facilityId = await addLoan()
    const id = newId('rfd')
    await sql`INSERT INTO doubtful_calls (tenant_id, subject_id, facility_id, reason, answer, since)
      VALUES (${tenant.id}, ${id}, ${facilityId}, 'refused', '{}', now())`.execute(api.db)
    return {
      ...{
        path: { tenant_id: tenant.id, payment_id: id },
        action: 'payments.dismiss',
        ...ofTenant,
      },
      ...{ subject: { kind: 'refund', id }, after: { decision: 'dismissed' } },
    }
  },
  closeMonth: () => ({
    ...{ path: ofTenant, action: 'books.close', body: { month: '2020-01' }, ...ofTenant },
    subject: { kind: 'month', id: '2020-01' },
  }),
  takeBreak: () => breakAct('breaks.take'),
  resolveBreak: () => breakAct('breaks.resolve'),
  confirmApproval: async () => ({
    ...{ path: { id: await proposeRule('1.00') }, action: 'residency.set', subject: RULE_SUBJECT },
    ...{ after: { max_limit_usd: '1.00' }, isConfirmation: true },
  }),
  rejectApproval: async () => ({
    ...{ path: { id: await proposeRule('2.00') }, action: 'approvals.reject' },
    ...{ subject: RULE_SUBJECT, after: { rejected: 'residency.set' }, by: 'risk' },
  }),
  async retryWork() {
    await sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts,
        failing_since, last_error)
      VALUES (${tenant.id}, 'evaluate-borrower', 'bor_stuck', 'real', 1, '2100-01-01', 12, now(),
        'down')`.execute(api.db)
    const after = { retried: 1 }
    return { action: 'work.retry', body: ofTenant, subject: null, ...ofTenant, after }
  },
  requestAudit: () => ({ action: 'audit.request', subject: null }),
  inviteOperator: () => ({
    ...{ action: 'operators.invite', subject: { kind: 'operator', id: expect.any(String) } },
    ...{
      body: { email: 'new@lender.example', name: 'New', role: 'risk' },
      after: { role: 'risk' },
    },
  }),
  inviteOperatorAgain: () => operatorAct('operators.invite', { isProposed: true }),
  changeOperator: () =>
    operatorAct('operators.change_role', {
      ...{ body: { role: 'risk' }, before: { role: 'viewer' }, after: { role: 'risk' } },
    }),
  removeOperator: () => operatorAct('operators.remove', {}),
  createToken: () => ({
    ...{ action: 'operators.create_token', body: token(), after: { name: 'script' } },
    subject: { kind: 'operator', id: people.admin.operator.id },
  }),
  async revokeToken() {
    const { id } = await post('/tokens', token())
    const subject = { kind: 'operator_token', id }
    return { path: { id }, action: 'operators.revoke_token', subject, before: { name: 'script' } }
  },
}

/** Of a browser that signs in: session.test.ts has them. */
const OF_SESSIONS = [
  ...['signOut', 'signOutEverywhere', 'signInByLink', 'startPasskeySignIn', 'signInByPasskey'],
  ...['startPasskey', 'addPasskey', 'removePasskey'],
  ...['mailAddressLink', 'confirmAddress'],
  ...['startConfirmation', 'confirmSession', 'refuseLink', 'markNoticesSeen'],
]

const { operators: document } = await describeService()
const operations = new Map(operationsOf(document).map((one) => [one.id, one]))
const operationOf = (name: string): Operation => {
  const found = operations.get(name.split(',')[0] ?? '')
  if (!found) throw new Error(`there is no operation ${name}`)
  return found
}

test('every operation that is not read in reads.test.ts, nor of a session, changes something here', () => {
  const left = [...operations.values()].filter(
    ({ id, method }) => method !== 'GET' && id !== 'stressBook' && !id.startsWith('preview'),
  )
  const known = [...Object.keys(CHANGES).filter((name) => !name.includes(',')), ...OF_SESSIONS]
  expect(left.map(({ id }) => id).sort()).toEqual(known.sort())
})

const fill = (path: string, values: Record<string, string> = {}) =>
  path.replace('/operator/v1', '').replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

/** Each path in which one part is of nothing that is there, and of another tenant. */
function strangePaths(path: string, values: Record<string, string>): string[] {
  const strange = parametersOf(path).map((name) => {
    const value = values[name] ?? ''
    return { [name]: name === 'number' ? '999' : newId(value.slice(0, 3) as IdPrefix) }
  })
  const foreign = parametersOf(path).length > 1 ? [{ tenant_id: api.tenant.id }] : []
  return [...strange, ...foreign].map((one) => fill(path, { ...values, ...one }))
}

async function newestActions(limit: number) {
  const { token } = people.viewer
  return (await operators.send(`/actions?limit=${limit}`, { token })).json().items
}
const readState = async () => ({
  ...{ tables: await fingerprint(), newest: await newestActions(1) },
})
const REPLAYED = { 'idempotent-replayed': 'true' }

describe('an act', () => {
  test.each(Object.entries(CHANGES))(
    'is recorded once, however often it is sent, and not where it is refused: %s',
    async (name, prepare) => {
      const { method, path: template, answers, body: schema } = operationOf(name)
      const { path: values = {}, body: given, ...change } = await prepare()
      const { by: role, isProposed, isConfirmation, ...shown } = change
      const { reason: asked } = schema?.properties ?? {}
      const reason = asked && { reason: 'as agreed' }
      const body = schema && { ...given, ...reason }
      const allowed = OPERATOR_ROLES.filter((one) => mayDo(one, change.action))
      const { operator, cookie } = people[role ?? allowed[0] ?? 'admin']
      const path = fill(template, values)
      const sent = { cookie, method: method as 'POST', ...(body && { body }) }
      const refuse = operators.expectRefusal
      const before = await readState()
      await refuse(path, { ...sent, cookie: '', token: newId('opt') }, 401, 'token_required')
      for (const one of OPERATOR_ROLES.filter((each) => !allowed.includes(each))) {
        await refuse(path, { ...sent, cookie: people[one].cookie }, 403, 'scope_missing')
      }
      for (const strange of strangePaths(template, values)) {
        await refuse(strange, sent, 404, 'not_found')
      }
      if (schema?.required?.includes('reason')) {
        for (const blank of [undefined, '', '\u00a0 \u2003']) {
          const sentBlank = { ...sent, body: { ...body, reason: blank } }
          await refuse(path, sentBlank, 422, 'validation_failed')
        }
      }
      expect(await readState()).toEqual(before)

      const headers = { 'idempotency-key': randomUUID() }
      const answer = await operators.send(path, { ...sent, headers })
      expect([name, answer.status]).toEqual([name, [...answers.keys()].find((one) => one < 300)])
      const recorded = { ...shown, ...reason }
      const acting = {
        ...{ actor: operator.email, operator_id: operator.id },
        request_id: answer.headers['x-svc-request-id'],
      }
      const proposed = isProposed && { action: 'approvals.propose' }
      const confirmed = isConfirmation ? [{ action: 'approvals.confirm', ...acting }] : []
      const newest = await newestActions(confirmed.length + 2)
      expect(newest.slice(0, confirmed.length + 1)).toMatchObject([
        { ...recorded, ...acting, ...proposed },
        ...confirmed,
      ])
      expect(newest.slice(confirmed.length + 1)).toEqual(before.newest)
      const state = await readState()
      if (!['revealReviews', 'exportBorrower'].includes(name)) {
        expect(state.tables).not.toBe(before.tables)
        const again = await operators.send(path, { ...sent, headers })
        const isSecret = again.status === 409
        if (isSecret) expect(again.json()).toMatchObject({ code: 'secret_not_retrievable' })
        else expect(again).toMatchObject({ status: answer.status, headers: REPLAYED })
        expect(await readState()).toEqual(state)
      }
      if (!isProposed) return
      const { approval_id: id, outcome } = answer.json()
      expect(outcome).toBe('proposed')
      await post(`/approvals/${id}/confirm`, {}, people.second)
      const [done] = await newestActions(1)
      // The reason of an erasure goes with the key.
      const kept = name === 'eraseBorrower' ? { ...recorded, reason: null } : recorded
      expect(done).toMatchObject({ ...kept, actor: people.second.operator.email })
    },
  )

  test('that was proposed shows who proposed it, who rejected it and why', async () => {
    const id = await proposeRule('3.00')
    const listed = async (status: string) =>
      (await operators.send(`/approvals?status=${status}`, people.viewer)).json().items
    const proposed = { id, status: 'PENDING', proposed_by: people.proposer.operator.email }
    expect(await listed('pending')).toContainEqual(expect.objectContaining(proposed))
    await post(`/approvals/${id}/reject`, { reason: 'too early' })
    const decided = { decided_by: people.admin.operator.email, decision_reason: 'too early' }
    expect(await listed('all')).toContainEqual(
      expect.objectContaining({ ...proposed, status: 'REJECTED', ...decided }),
    )
  })

  test('an admin makes no token of another operator', async () => {
    const body = { ...token(), operator_id: people.risk.operator.id }
    const sent = { cookie: people.admin.cookie, method: 'POST' as const, body }
    await operators.expectRefusal('/tokens', sent, 403, 'scope_missing')
  })
})
