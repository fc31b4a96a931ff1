import { addMs, DAY_MS } from '../../../src/core/time.ts'
import type { Tx } from '../../../src/db/database.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import * as auth from '../../../src/domain/auth/queries.ts'
import * as callbacks from '../../../src/domain/callbacks/queries.ts'
import * as appending from '../../../src/domain/events/append/append-queries.ts'
import * as log from '../../../src/domain/events/log/log-queries.ts'
import * as idempotency from '../../../src/domain/idempotency/queries.ts'
import * as aged from '../../../src/domain/tenants/aged-queries.ts'
import * as exporting from '../../../src/domain/tenants/export-queries.ts'
import * as tenants from '../../../src/domain/tenants/queries.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const later = (at: Date) => addMs(at, 30 * DAY_MS)

function newEventsOf({ facilityIds, now }: Sample): string {
  const events = facilityIds.map(
    (id, at): appending.NewEvent => ({
      place: at + 1,
      id: id.replace('fac_', 'evt_'),
      ...{ made_at: now, type: 'facility.floor_updated', resource_type: 'facility' },
      ...{ resource_id: id, facility_id: id, borrower_id: null, occurred_at: now },
      ...{ head: '",', middle: ',', tail: '{}' },
    }),
  )
  return JSON.stringify(events)
}

const writtenOf = ({ tenantId, now }: Sample) => ({ tenantId, since: now })

const insertNewEvents = (tx: Tx, sample: Sample) =>
  execute(
    tx,
    appending.insertEvents({
      tenantId: sample.tenantId,
      events: newEventsOf(sample),
      trace: null,
    }),
  )

export const TENANT_CALLS = [
  queriesFile('domain/tenants/queries.ts', tenants, {
    insertTenant: (tx, { now }) =>
      tenants.insertTenant(tx, { tenantId: 'ten_new', name: 'New', createdAt: now }),
    selectTenants: (tx) => tenants.selectTenants(tx),
    selectTenantIds: (tx) => tenants.selectTenantIds(tx),
    selectAbsentTenants: (tx) => tenants.selectAbsentTenants(tx),
    insertAbsentTenants: (tx, { tenantId, now }) =>
      tenants.insertAbsentTenants(tx, [tenantId, 'another'], now),
    deleteAbsentTenant: (tx, { tenantId }) => tenants.deleteAbsentTenant(tx, tenantId),
    selectTenantPage: (tx, { tenantId }) =>
      tenants.selectTenantPage(tx, { before: tenantId, limit: 101 }),
    selectTenant: (tx, { tenantId }) => tenants.selectTenant(tx, tenantId),
    tenantExists: (tx, { tenantId }) => tenants.tenantExists(tx, tenantId),
    lockSuspension: (tx, { tenantId }) => tenants.lockSuspension(tx, tenantId),
    updateSuspension: (tx, { tenantId, now }) =>
      tenants.updateSuspension(tx, tenantId, { at: now, reason: 'court order' }),
    selectClockOffset: (tx, { tenantId }) => tenants.selectClockOffset(tx, tenantId),
    raiseClockOffset: (tx, { tenantId }) => tenants.raiseClockOffset(tx, tenantId, 1_000n),
  }),
  queriesFile('domain/tenants/export-queries.ts', exporting, {
    selectExportedTables: (tx) => exporting.selectExportedTables(tx),
    readTable: (tx, { tenantId }) =>
      exporting.readTable(tx, tenantId, 'facilities', () => undefined),
    selectLastSequence: (tx, { tenantId }) => exporting.selectLastSequence(tx, tenantId),
    updateExported: (tx, { tenantId }) => exporting.updateExported(tx, tenantId, 1n),
  }),
  queriesFile('domain/tenants/aged-queries.ts', aged, {
    deleteAgedRows: (tx, { tenantId, monthAgo, now, soon }) =>
      inEachScope(tenantId, async (scope) => {
        const page = { tenantId: scope, limit: 100 }
        await aged.deleteAgedRows(tx, 'console_invitations', later(soon), page)
        await aged.deleteAgedRows(tx, 'console_sessions', now, page)
        await aged.deleteAgedRows(tx, 'console_mails', monthAgo, page)
        await aged.deleteAgedRows(tx, 'failure_notices', monthAgo, page)
        await aged.deleteAgedRows(tx, 'provider_callbacks', monthAgo, { ...page, limit: 1_000 })
        await aged.deleteAgedRows(tx, 'sandbox_calls', monthAgo, { ...page, limit: 1_000 })
      }),
  }),
  queriesFile('domain/auth/queries.ts', auth, {
    insertKey: (tx, { tenantId, now }) =>
      auth.insertKey(tx, {
        tenantId,
        keyId: 'key_new',
        publicKey: Buffer.alloc(32),
        label: 'new',
        scopes: ['facility:read'],
        createdAt: now,
        expiresAt: undefined,
      }),
    selectKeyOwners: (tx, { keyId }) => auth.selectKeyOwners(tx, [keyId]),
    selectKey: (tx, { tenantId, keyId }) => auth.selectKey(tx, tenantId, keyId),
    selectKeys: (tx, { tenantId }) => auth.selectKeys(tx, tenantId),
    lockTenant: (tx, { tenantId }) => auth.lockTenant(tx, tenantId),
    updateKeysUsed: async (tx, { tenantId, keyId, now }) => {
      const use = { tenantId, keyId, usedAt: now }
      await auth.updateKeysUsed(tx, [use])
      await auth.updateKeysUsed(tx, [use, { ...use, tenantId: 'another' }])
    },
    selectExpiring: (tx, { tenantId, now }) =>
      inEachScope(tenantId, (scope) =>
        auth.selectExpiring(tx, { tenantId: scope, now, limit: 100 }),
      ),
    updateExpiryWarned: (tx, { tenantId, keyId, now }) =>
      auth.updateExpiryWarned(tx, { tenantId, keyId, expiresAt: now }, now),
    updateKeyRevoked: (tx, { tenantId, keyId, now }) =>
      auth.updateKeyRevoked(tx, tenantId, keyId, now),
  }),
  queriesFile('domain/idempotency/queries.ts', idempotency, {
    tryLockKey: (tx, { tenantId, idempotencyKey }) =>
      idempotency.tryLockKey(tx, tenantId, idempotencyKey),
    selectRecord: (tx, { tenantId, idempotencyKey }) =>
      idempotency.selectRecord(tx, tenantId, idempotencyKey),
    insertRecord: async (tx, { tenantId, now }) =>
      idempotency.insertRecord(tx, {
        tenant_id: tenantId,
        key: '00000000-0000-4000-8000-000000000000',
        fingerprint: Buffer.alloc(32),
        status: 201,
        body: '{}',
        secret_id: null,
        borrower_id: null,
        recorded_at: now,
      }),
    deleteRecordsBefore: (tx, { tenantId, monthAgo }) =>
      inEachScope(tenantId, (scope) =>
        idempotency.deleteRecordsBefore(tx, monthAgo, { tenantId: scope, limit: 1_000 }),
      ),
    lockRecordsOfOtherKeys: (tx, { tenantId, idempotencyKey }) =>
      inEachScope(tenantId, (scope) =>
        idempotency.lockRecordsOfOtherKeys(tx, 'k2', {
          tenantId: scope,
          after: { tenant_id: tenantId, key: idempotencyKey },
          limit: 100,
        }),
      ),
    updateSealedBody: (tx, { tenantId, idempotencyKey }) =>
      idempotency.updateSealedBody(tx, tenantId, idempotencyKey, 'k2.aa'),
  }),
  queriesFile('domain/events/append/append-queries.ts', appending, {
    lockCounter: (tx, { tenantId }) => execute(tx, appending.lockCounter({ tenantId })),
    raiseVersions: (tx, sample) =>
      execute(
        tx,
        appending.raiseVersions({ tenantId: sample.tenantId, events: newEventsOf(sample) }),
      ),
    insertEvents: insertNewEvents,
    insertDeliveries: async (tx, sample) => {
      await insertNewEvents(tx, sample)
      await execute(tx, appending.insertDeliveries(writtenOf(sample)))
    },
    countEvents: async (tx, sample) => {
      await insertNewEvents(tx, sample)
      await execute(tx, appending.countEvents({ ...writtenOf(sample), count: 1 }))
    },
    insertRaises: async (tx, sample) => {
      await insertNewEvents(tx, sample)
      await execute(tx, appending.insertRaises(writtenOf(sample)))
    },
    deleteBoundRecords: async (tx, sample) => {
      const { tenantId, facilityIds } = sample
      const [facilityId = ''] = facilityIds
      const record = { tenant_id: tenantId, facility_id: facilityId, record: 'journal new' }
      await tx.insertInto('unbound_records').values(record).execute()
      await insertNewEvents(tx, sample)
      await execute(tx, appending.deleteBoundRecords(writtenOf(sample)))
    },
  }),
  queriesFile('domain/events/log/log-queries.ts', log, {
    selectEventsAfter: async (tx, { tenantId, event }) => {
      const page = { after: event.sequence - 400n, limit: 101 }
      await log.selectEventsAfter(tx, tenantId, { ...page, types: [] })
      await log.selectEventsAfter(tx, tenantId, {
        ...page,
        types: ['facility.decisioned', 'facility.floor_updated'],
      })
    },
    selectEventsAbout: async (tx, { tenantId, warned }) => {
      const page = { after: 0n, types: [], limit: 101 }
      const { facilityId, borrowerId } = warned
      await log.selectEventsAbout(tx, tenantId, { resourceId: facilityId }, page)
      await log.selectEventsAbout(tx, tenantId, { facilityId }, page)
      await log.selectEventsAbout(tx, tenantId, { borrowerId }, page)
    },
    selectLogBounds: (tx, { tenantId }) => log.selectLogBounds(tx, tenantId),
    selectEvent: (tx, { tenantId, event }) =>
      log.selectEvent(tx, tenantId, event.id, event.recordedAt),
  }),
  queriesFile('domain/callbacks/queries.ts', callbacks, {
    insertCallback: (tx, { tenantId, now }) =>
      callbacks.insertCallback(tx, {
        tenant_id: tenantId,
        provider: 'custodian',
        callback_id: 'new',
        received_at: now,
      }),
    selectBorrowerOfCheck: (tx, { tenantId, checked }) =>
      callbacks.selectBorrowerOfCheck(tx, tenantId, checked.checkId),
    selectPendingDrawIds: (tx, { tenantId, drawing }) =>
      callbacks.selectPendingDrawIds(tx, tenantId, drawing.facilityId),
  }),
]
