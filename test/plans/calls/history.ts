import { newId } from '../../../src/core/ids.ts'
import { addMs } from '../../../src/core/time.ts'
import * as newest from '../../../src/domain/events/log/newest-queries.ts'
import * as points from '../../../src/domain/margin/history/ltv-queries.ts'
import * as requests from '../../../src/domain/request-log/queries.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'
import { passOf } from './margin.ts'

const LAST = 2n ** 63n - 1n

/** By the number of the tenant's request. */
const requestOf = ({ now }: Sample, n: number) => ({
  requestId: `req_${String(n).padStart(26, '0')}`,
  receivedAt: addMs(now, n - 25_001),
})

const requestOfTenant = (tenantId: string) => ({
  ...{ tenantId, requestId: newId('req'), method: 'GET', route: '/v1/borrowers' },
  ...{ path: '/v1/borrowers', status: 200, code: undefined, keyId: 'key_1' },
  ...{ personId: undefined, durationMs: 1, idempotencyKey: undefined },
  ...{ resourceId: undefined, details: undefined, isFree: false },
})

export const HISTORY_CALLS = [
  queriesFile('domain/request-log/queries.ts', requests, {
    insertRequests: async (tx, { tenantId }) => {
      await requests.insertRequests(tx, [requestOfTenant(tenantId)])
      await requests.insertRequests(tx, [requestOfTenant(tenantId), requestOfTenant('another')])
    },
    selectRequests: async (tx, sample) => {
      const { tenantId, past, soon } = sample
      const page = { before: requestOf(sample, 900), limit: 51, maxRead: 5_000 }
      const read = (filters: requests.RequestFilters) =>
        requests.selectRequests(tx, tenantId, filters, page)
      await read({})
      await read({ code: 'not_found', since: past, until: soon })
      await read({ resourceId: `bor_${'7'.padStart(26, '0')}` })
      await read({ statuses: { from: 400, to: 499 } })
      await read({ method: 'GET', keyId: 'key_1', path: '/v1/borrowers' })
    },
    selectReadEnd: (tx, sample) =>
      requests.selectReadEnd(
        tx,
        sample.tenantId,
        { method: 'DELETE' },
        { before: requestOf(sample, 900), maxRead: 500 },
      ),
    selectRequest: (tx, sample) =>
      requests.selectRequest(tx, sample.tenantId, requestOf(sample, 500)),
  }),
  queriesFile('domain/events/log/newest-queries.ts', newest, {
    selectLastBefore: (tx, { tenantId, soon }) => newest.selectLastBefore(tx, tenantId, soon),
    selectFirstSince: (tx, { tenantId }) => newest.selectFirstSince(tx, tenantId, new Date(0)),
    selectNewestEvents: async (tx, { tenantId, event, warned }) => {
      const page = { before: event.sequence, limit: 101 }
      const wanted = { type: undefined, resourceId: undefined, sequences: { from: 0n, to: LAST } }
      await newest.selectNewestEvents(tx, tenantId, wanted, page)
      const ofType = { ...wanted, type: 'facility.decisioned' }
      await newest.selectNewestEvents(tx, tenantId, ofType, page)
      const ofResource = { ...wanted, resourceId: warned.facilityId }
      await newest.selectNewestEvents(tx, tenantId, ofResource, page)
    },
    selectMarksAfter: (tx, { tenantId, event }) =>
      newest.selectMarksAfter(tx, tenantId, event.sequence - 400n, 500),
  }),
  queriesFile('domain/margin/history/ltv-queries.ts', points, {
    insertRounds: (tx, { tenantId }) =>
      inEachScope(tenantId, (scope) => points.insertRounds(tx, scope)),
    selectRounds: (tx, { tenantId }) =>
      inEachScope(tenantId, (scope) => points.selectRounds(tx, scope)),
    lockRounds: async (tx, { tenantId }) => {
      await points.lockRounds(tx, [tenantId])
      await points.lockRounds(tx, [tenantId, 'another'])
    },
    updateRounds: async (tx, { tenantId, soon }) => {
      await points.updateRounds(tx, [{ tenantId, hour: soon }])
      await points.updateRounds(tx, [
        { tenantId, hour: soon },
        { tenantId: 'another', hour: soon },
      ])
    },
    insertPoints: async (tx, sample) => {
      const one = passOf(sample, 6_000_000_000_000n)
      await points.insertPoints(tx, one, sample.soon, [sample.tenantId])
      const markets = one.markets.flatMap((market) => [market, { ...market, tenantId: 'another' }])
      await points.insertPoints(tx, { ...one, markets }, sample.now, [sample.tenantId])
    },
    selectPoints: async (tx, { tenantId, warned, past, soon }) => {
      const facility = { tenantId, facilityId: warned.facilityId }
      const stretch = { from: past, to: soon, limit: 1_000 }
      await points.selectPoints(tx, 'facility_ltv_hours', facility, stretch)
      await points.selectPoints(tx, 'facility_ltv_days', facility, stretch)
    },
  }),
]
