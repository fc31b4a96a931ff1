import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeService } from '../../../scripts/openapi/describe-service.ts'
import { type IdPrefix, newId } from '../../../src/core/ids.ts'
import { addMs, HOUR_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { makeReceiptKey } from '../../../src/domain/margin/receipts/receipt-key.ts'
import { createManualCompliance } from '../../../src/providers/compliance-manual.ts'
import { type Operation, operationsOf, parametersOf } from '../../attacks/fuzz/document.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { insertWebhookRow } from '../../support/deliveries/insert-webhook.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'
import { addBorrower, evaluate, sign } from '../../support/lending/onboarding.ts'
import { sealRows } from '../../support/lending/sealed.ts'
import { createFingerprint } from '../../support/stores/fingerprint.ts'
import { LOOKS_SEALED } from '../../support/stores/sealer.ts'

let fingerprint: () => Promise<string>
let token: string
let other: string
let values: Record<string, string>
const now = new Date()
const { api, operators } = operatorApiForFile({ env: { FOUR_EYES: 'on' }, clock: () => now })
beforeAll(async () => {
  token = (await operators.addOperator('viewer')).token
  other = (await api.addTenant()).id
  await inTransaction(api.db, (tx) => makeReceiptKey(tx, api.resources.sealer, now))
  values = await furnish(api.tenant.id)
  fingerprint = await createFingerprint(api.db)
})

/** Three things of each list. Rows of one list are written at the same instant, or a microsecond
 * apart: their order is none that a cursor of milliseconds would keep. */
async function furnish(tenantId: string): Promise<Record<string, string>> {
  const { db } = api
  for (let more = 0; more < 3; more += 1) await addBorrower(db, tenantId)
  const borrowerId = await addBorrower(db, tenantId)
  await sign(db, tenantId, borrowerId)
  await evaluate(db, tenantId, borrowerId, { provider: createManualCompliance() })
  await sql`INSERT INTO compliance_checks
      (tenant_id, check_id, borrower_id, kind, signature_id, subject, status, created_at)
    SELECT tenant_id, 'chk_' || lpad(n::text, 26, '0'), borrower_id, 'kyb', signature_id,
      'person.' || lpad(n::text, 40, '0'), 'review', timestamptz '2020-01-01' + (n / 3) * interval '1 us'
    FROM compliance_checks, generate_series(1, 9) AS n WHERE kind = 'kyc'`.execute(db)
  const loan = {
    ...{ positions: { BTC: 10n ** 8n }, principalCents: 10_000_00n, accruedAt: now },
    warnedUntil: addMs(now, HOUR_MS),
  }
  const [facilityId = ''] = await insertFacilities(db, tenantId, Array(5).fill(loan))
  await sql`INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status,
      created_at) SELECT tenant_id, facility_id, 1, 1, 'PENDING', ${now} FROM facilities`.execute(
    db,
  )
  await sql`UPDATE margin_calls SET status = 'COMPLETED', outcome = 'not_needed', completed_at = ${now}
    WHERE facility_id = ${facilityId}`.execute(db)
  await sql`INSERT INTO margin_receipts (tenant_id, facility_id, call_number, body, sha256, key_id,
      public_key, signature)
    SELECT tenant_id, facility_id, number, '{"type":"sale-receipt/1"}', sha256(''), 'rck_1',
      decode(repeat('01', 32), 'hex'), decode(repeat('01', 64), 'hex')
    FROM margin_calls WHERE status = 'COMPLETED'`.execute(db)
  await sql`INSERT INTO margin_sales (tenant_id, facility_id, call_number, number, asset, ordered_units,
      in_kind, status, ordered_at)
    SELECT tenant_id, facility_id, 1, n, 'BTC', 5, false, 'REFUSED', ${now}
    FROM facilities, generate_series(1, 3) AS n`.execute(db)
  await sql`UPDATE borrowers SET blocked_at = now() + (random() * 9)::int * interval '1 us',
    blocked_reason = ${LOOKS_SEALED}`.execute(db)
  await sealRows(db, 'borrowers', 'blocked_reason', { text: 'order' })
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents,
      rate_ppm, accrued_at, created_at, updated_at)
    SELECT tenant_id, 'fac_' || lpad(row_number() OVER ()::text, 26, '0'), borrower_id, 'PENDING',
      2000000, 95000, now(), now(), now()
    FROM borrowers WHERE borrower_id NOT IN (SELECT borrower_id FROM facilities)`.execute(db)
  await sql`INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, hold_kind, reason,
      started_at)
    SELECT tenant_id, facility_id, 'pau_' || substr(facility_id, 5), 'hold', 'freeze', ${LOOKS_SEALED},
      timestamptz '2026-01-01' + (random() * 9)::int * interval '1 us' FROM facilities`.execute(db)
  await sealRows(db, 'facility_pauses', 'reason', { text: 'order' })
  await sql`UPDATE facilities SET terms_version = 0, next_rate_ppm = 80000,
      next_terms_at = timestamptz '2100-01-01' + (random() * 9)::int * interval '1 us'`.execute(db)
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units,
      cents, destination, status, refusals, created_at)
    SELECT tenant_id, 'rfd_' || substr(facility_id, 5), facility_id, facility_id, 'USD', 5, 5,
      ${LOOKS_SEALED}, 'PENDING', 1, now() FROM facilities`.execute(db)
  await sealRows(db, 'refunds', 'destination', { text: 'a', kind: 'destination' })
  await sql`INSERT INTO repayments (tenant_id, repayment_id, facility_id, status, asset, amount_units,
      delivered_units, reference, requested_at, reported_at, contested_transfer, undecided_since)
    SELECT tenant_id, 'rep_' || substr(facility_id, 5), facility_id, 'REPORTED', 'USD', 5, 5,
      'wire of ' || facility_id, now(), now(), 'mt103', now() FROM facilities`.execute(db)
  await sql`INSERT INTO doubtful_calls (tenant_id, subject_id, facility_id, reason, answer, since)
    SELECT tenant_id, 'rep_' || substr(facility_id, 5), facility_id, 'refused', '{}',
      timestamptz '2026-01-01' + (random() * 9)::int * interval '1 us' FROM facilities`.execute(db)
  await sql`INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
      destination, payout_sent_at, requested_at)
    SELECT tenant_id, 'drw_' || substr(facility_id, 5), facility_id, 'PENDING', 'USD', 5, 5, ${LOOKS_SEALED},
      timestamptz '2026-01-01' + (random() * 9)::int * interval '1 us', '2026-01-01'
    FROM facilities`.execute(db)
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, facility_id,
      day, found_at, written_at)
    SELECT tenant_id, 'brk_' || substr(facility_id, 5), 'missing_there', 'bank', facility_id,
      facility_id, '2026-01-01', now(),
      timestamptz '2026-01-01' + (random() * 9)::int * interval '1 us' FROM facilities`.execute(db)
  await sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts,
      failing_since, last_error)
    SELECT ${tenantId}, 'push-floor', 'fac_' || n, 'real', 6, now() + interval '1 hour', 12,
      timestamptz '2026-01-01' + (n / 2) * interval '1 us', 'down'
    FROM generate_series(1, 9) AS n`.execute(db)
  for (const name of ['a', 'b', 'c']) {
    await insertWebhookRow(api, tenantId, `https://${name}.example/secret`)
    await api.addTenant()
  }
  await sql`UPDATE lanes SET failures = 30`.execute(db)
  const { token: risk } = await operators.addOperator('risk')
  const act = async (path: string, body: object) => {
    const sent = { token: risk, method: 'POST' as const, body: { ...body, reason: 'board' } }
    return (await operators.send(path, sent)).json().approval_id
  }
  await act(`/tenants/${tenantId}/borrowers/${borrowerId}/block`, {})
  const rule = { borrower_type: 'business', allowed: true }
  for (const country of ['FR', 'IT']) await act('/residency', { ...rule, country })
  const id = await act('/residency', { ...rule, country: 'ES' })
  const ids = { tenant_id: tenantId, borrower_id: borrowerId, facility_id: facilityId, id }
  // Before there was a tenant: what is furnished here has no entries in the books.
  return { ...ids, number: '1', text: facilityId, month: '2020-01' }
}

const fill = (path: string, given: Record<string, string>) =>
  path.replace('/operator/v1', '').replaceAll(/\{(\w+)\}/g, (_, name) => given[name] ?? '')

/** With the parameters that a reading must have. */
const ask = (path: string, { query }: Operation) => {
  const asked = query
    .filter(({ required }) => required)
    .map(({ name }) => [name, values[name] ?? ''])
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`
}

/** With each part of the path of nothing that is there, and of another tenant. */
function strangePaths(path: string): string[] {
  const names = parametersOf(path)
  const strange = names.map((name) => ({
    [name]: name === 'number' ? '999' : newId(values[name]?.slice(0, 3) as IdPrefix),
  }))
  const foreign = names.length > 1 ? [{ tenant_id: other }] : []
  const shapeless = names.length > 1 && names.includes('number') ? [{ number: 'x' }] : []
  return [...strange, ...foreign, ...shapeless].map((one) => fill(path, { ...values, ...one }))
}

/** What if is of the book as it is, and is asked for by a POST. */
const isRead = ({ id, method }: Operation) =>
  method === 'GET' || id === 'stressBook' || id === 'previewMarginPolicy'
const isOfSession = ({ path }: Operation) =>
  /\/(session|sign-in|passkeys|address|notices)$/.test(path)
const { operators: document } = await describeService()
const reads = operationsOf(document).filter((one) => isRead(one) && !isOfSession(one))

const read = async (path: string) => {
  const answer = await operators.send(path, { token })
  expect({ path, status: answer.status }).toEqual({ path, status: 200 })
  return answer.json()
}

describe('a reading', () => {
  test.each(reads.map((one) => [one.id, one] as const))(
    'is for every operator, of what is there, and changes and records nothing: %s',
    async (_id, operation) => {
      const { id, method, path: template } = operation
      const body = id === 'previewMarginPolicy' ? { terms: {} } : {}
      const path = ask(fill(template, values), operation)
      const sent = { method: method as 'GET', ...(method === 'POST' && { body }) }
      const readState = async () => [await fingerprint(), (await read('/actions?limit=1')).items]
      const before = await readState()
      expect(await operators.send(path, { ...sent, token })).toMatchObject({ status: 200 })
      await operators.expectRefusal(path, sent, 401, 'token_required')
      for (const strange of strangePaths(template)) {
        await operators.expectRefusal(strange, { ...sent, token }, 404, 'not_found')
      }
      expect(await readState()).toEqual(before)
    },
  )
})

describe('a list', () => {
  const lists = reads.filter(({ query }) => query.some(({ name }) => name === 'limit'))
  const of = (path: string, ...query: string[]) => `${path}?${query.join('&')}`

  test.each(lists.map((one) => [one.id, one] as const))(
    'is read in pages, each item once and by a cursor of its own, and of one tenant alone: %s',
    async (_id, { path: template, query }) => {
      const path = fill(template, values)
      await operators.expectRefusal(of(path, 'limit=101'), { token }, 422, 'validation_failed')
      const whole = await read(of(path, 'limit=100'))
      expect(whole).toMatchObject({ has_more: false })
      expect(whole.items.length).toBeGreaterThan(2)
      const items: unknown[] = []
      for (let from = ''; ; ) {
        const page = await read(of(path, 'limit=2', from))
        items.push(...page.items)
        if (!page.has_more) break
        from = `from=${page.next_cursor}`
        expect(page.items).toHaveLength(2)
      }
      expect(items).toEqual(whole.items)

      const { next_cursor: cursor } = await read(of(path, 'limit=1'))
      const elsewhere = lists.find((one) => one.path !== template && !one.path.includes('{'))
      const foreign = of(fill(elsewhere?.path ?? '', values), `from=${cursor}`)
      await operators.expectRefusal(foreign, { token }, 400, 'cursor_invalid')
      if (!query.some(({ name }) => name === 'tenant_id')) return
      const filtered = of(path, `tenant_id=${other}`)
      expect(JSON.stringify(await read(filtered))).not.toContain(api.tenant.id)
      await operators.expectRefusal(`${filtered}&from=${cursor}`, { token }, 400, 'cursor_invalid')
      const mine = await read(of(path, `tenant_id=${api.tenant.id}`, 'limit=100'))
      expect(mine.items.length).toBeGreaterThan(0)
    },
  )
})
