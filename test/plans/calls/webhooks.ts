import { execute } from '../../../src/db/transactions/execute.ts'
import * as behind from '../../../src/domain/deliveries/behind-queries.ts'
import * as claims from '../../../src/domain/deliveries/claim-queries.ts'
import { DELIVERY_STATES } from '../../../src/domain/deliveries/decide-outcome.ts'
import * as deliveries from '../../../src/domain/deliveries/delivery-queries.ts'
import { lockToDeliver } from '../../../src/domain/deliveries/lane.ts'
import * as lane from '../../../src/domain/deliveries/lane-queries.ts'
import * as records from '../../../src/domain/deliveries/record-queries.ts'
import * as recovery from '../../../src/domain/deliveries/recovery-queries.ts'
import * as webhooks from '../../../src/domain/webhooks/queries.ts'
import { raiseOf } from '../crash-day-margin.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const LEASE = '00000000-0000-4000-8000-000000000000'

const recordOf = ({ tenantId, webhookId, event }: Sample) => ({
  tenantId,
  webhookId,
  eventId: event.id,
  recordedAt: event.recordedAt,
})

const attemptsOf = ({ tenantId, webhookId, event, now }: Sample) => {
  const attempt: records.AttemptRecord = {
    ...{ event_id: event.id, recorded_at: event.recordedAt, number: 60_001, started_at: now },
    ...{ status: 200, error: null, duration_ms: 1, response_excerpt: '', requested: false },
    ...{ state: 'delivered', listed_as: null, failures: 0, next_attempt_at: null },
  }
  return { tenantId, webhookId, attempts: JSON.stringify([attempt]) }
}

const claimOf = ({ tenantId, webhookId, now, soon }: Sample) => ({
  ...{ tenantId, webhookId, lease: LEASE, leasedUntil: soon, inFlight: [1n, 2n], failures: 0 },
  ...{ room: 10, now },
})

const named = ({ id, recordedAt }: Sample['event']) => ({ eventId: id, recordedAt })

const retriedOf = ({ retriedWebhookId, event }: Sample) => ({
  webhook_id: retriedWebhookId,
  event_id: event.id,
  recorded_at: event.recordedAt,
})

type Phase = 'dead_lettered' | 'pending' | 'log'

const recoveryOf = (sample: Sample, phase: Phase) => ({
  tenant_id: sample.tenantId,
  webhook_id: sample.webhookId,
  from_webhook_id: phase === 'log' ? sample.retriedWebhookId : null,
  // Of the first event, where the sequences begin.
  since: new Date(0),
  phase,
  first_sequence: 0n,
  after_sequence: 0n,
  until_sequence: sample.event.sequence,
  requested_at: sample.now,
})

const stretchOf = (sample: Sample, phase: Phase, limit: number) => ({
  ...recoveryOf(sample, phase),
  now: sample.now,
  limit,
  isPaced: false,
  maxAttempts: 106,
  inFlight: [1n, 2n],
})

export const WEBHOOK_CALLS = [
  queriesFile('domain/webhooks/queries.ts', webhooks, {
    insertWebhook: (tx, { tenantId, event, now }) =>
      webhooks.insertWebhook(tx, {
        tenantId,
        webhookId: 'whk_new',
        url: 'https://example.com/',
        eventTypes: [],
        label: undefined,
        registeredSequence: event.sequence,
        createdAt: now,
      }),
    countDisabled: (tx) => webhooks.countDisabled(tx),
    selectWebhooks: (tx, { tenantId }) => webhooks.selectWebhooks(tx, tenantId),
    selectWebhook: (tx, { tenantId, webhookId }) => webhooks.selectWebhook(tx, tenantId, webhookId),
    selectActiveWebhooks: (tx, { tenantId }) => webhooks.selectActiveWebhooks(tx, tenantId),
    updateWebhookState: (tx, { tenantId, webhookId, now }) =>
      webhooks.updateWebhookState(tx, tenantId, webhookId, {
        from: ['active'],
        to: 'disabled',
        at: now,
      }),
    deleteEndedWebhooks: (tx, { tenantId, past }) =>
      inEachScope(tenantId, (scope) =>
        webhooks.deleteEndedWebhooks(tx, past, { tenantId: scope, limit: 1_000 }),
      ),
    upsertSecret: (tx, { tenantId, now }) =>
      webhooks.upsertSecret(tx, tenantId, {
        secretId: 'sec_new',
        sealed: 'k1.aa.bb.cc',
        createdAt: now,
      }),
    selectSecret: (tx, { tenantId }) => webhooks.selectSecret(tx, tenantId),
    lockSecretsOfOtherKeys: (tx, { tenantId }) =>
      inEachScope(tenantId, (scope) =>
        webhooks.lockSecretsOfOtherKeys(tx, 'k2', { tenantId: scope, after: '', limit: 100 }),
      ),
    updateSealedSecret: (tx, { tenantId }) =>
      webhooks.updateSealedSecret(tx, tenantId, 'k2.aa.bb.cc'),
  }),
  queriesFile('domain/deliveries/delivery-queries.ts', deliveries, {
    selectDeliveries: async (tx, { tenantId, webhookId, event }) => {
      const page = { before: event.sequence, limit: 101 }
      for (const state of [undefined, ...DELIVERY_STATES]) {
        await deliveries.selectDeliveries(tx, { tenantId, webhookId }, state, page)
      }
    },
    selectTenantDeliveries: async (tx, { tenantId, webhookId, event }) => {
      const sequences = { from: 1n, to: event.sequence }
      for (const state of [undefined, ...DELIVERY_STATES]) {
        for (const only of [undefined, webhookId]) {
          const wanted = { webhookId: only, state, sequences }
          const page = { before: undefined, limit: 101 }
          await deliveries.selectTenantDeliveries(tx, tenantId, wanted, page)
          const before = { sequence: event.sequence, webhookId }
          await deliveries.selectTenantDeliveries(tx, tenantId, wanted, { ...page, before })
        }
      }
    },
    selectDeliveriesOfEvent: (tx, { tenantId, event }) =>
      deliveries.selectDeliveriesOfEvent(tx, tenantId, named(event), 100),
    requestRetry: (tx, { tenantId, webhookId, event, now }) =>
      deliveries.requestRetry(
        tx,
        tenantId,
        { webhook_id: webhookId, event_id: event.id, recorded_at: event.recordedAt },
        now,
      ),
    selectDelivery: (tx, { tenantId, webhookId, event }) =>
      deliveries.selectDelivery(tx, tenantId, webhookId, {
        eventId: event.id,
        recordedAt: event.recordedAt,
      }),
    selectAttempts: async (tx, { tenantId, event }) => {
      const all = await deliveries.selectDeliveriesOfEvent(tx, tenantId, named(event), 100)
      await deliveries.selectAttempts(tx, tenantId, all, 20)
    },
    selectAttemptsBefore: (tx, s) =>
      deliveries.selectAttemptsBefore(tx, s.tenantId, retriedOf(s), { before: 30_000, limit: 101 }),
    countRequestedAttempts: (tx, s) =>
      deliveries.countRequestedAttempts(tx, s.tenantId, retriedOf(s)),
  }),
  queriesFile('domain/deliveries/recovery-queries.ts', recovery, {
    selectSequencesSince: (tx, { tenantId, event }) =>
      recovery.selectSequencesSince(tx, tenantId, {
        earlierId: event.id,
        since: event.recordedAt,
      }),
    insertRecovery: (tx, sample) => recovery.insertRecovery(tx, recoveryOf(sample, 'pending')),
    lowerRecovered: (tx, sample) => recovery.lowerRecovered(tx, sample, sample.event.sequence),
    lockRecovery: (tx, sample) => recovery.lockRecovery(tx, sample),
    moveRecovery: (tx, sample) =>
      recovery.moveRecovery(tx, sample, {
        phase: 'pending',
        after_sequence: sample.event.sequence,
      }),
    deleteRecovery: (tx, sample) => recovery.deleteRecovery(tx, sample),
    countWaiting: (tx, sample) =>
      recovery.countWaiting(tx, sample, { now: sample.now, limit: 250 }),
    countMissed: async (tx, sample) => {
      for (const phase of ['dead_lettered', 'pending', 'log'] as const) {
        await recovery.countMissed(tx, stretchOf(sample, phase, 10_000))
      }
    },
    recoverNext: async (tx, sample) => {
      for (const phase of ['dead_lettered', 'pending', 'log'] as const) {
        await recovery.recoverNext(tx, stretchOf(sample, phase, 50))
        await recovery.recoverNext(tx, { ...stretchOf(sample, phase, 250), isPaced: true })
      }
    },
    lockPace: (tx, { tenantId, now, soon }) =>
      recovery.lockPace(tx, { tenantId, host: 'example.com' }, { now, forgetAt: soon }),
    updatePace: async (tx, { tenantId, now, soon }) => {
      const host = { tenantId, host: 'example.com' }
      await recovery.lockPace(tx, host, { now, forgetAt: soon })
      await recovery.updatePace(tx, host, { next_at: soon })
    },
    selectAsked: (tx, { tenantId, webhookId, event, past }) =>
      recovery.selectAsked(
        tx,
        tenantId,
        { webhookId, eventId: event.id, recordedAt: event.recordedAt },
        past,
      ),
  }),
  queriesFile('domain/deliveries/behind-queries.ts', behind, {
    selectLanesBehind: (tx, { now }) => behind.selectLanesBehind(tx, now),
    selectOldestDue: (tx, { now }) => behind.selectOldestDue(tx, now),
    countDue: (tx, { now }) => behind.countDue(tx, now, 10_000),
    moveSeen: async (tx, { tenantId, webhookId }) => {
      const lane = { tenantId, webhookId, seen: 2n ** 60n }
      await behind.moveSeen(tx, [lane])
      await behind.moveSeen(tx, [
        { ...lane, seen: 2n ** 61n },
        { ...lane, tenantId: 'another' },
      ])
    },
  }),
  queriesFile('domain/deliveries/claim-queries.ts', claims, {
    claimDue: async (tx, s) => {
      await lockToDeliver(tx, s)
      await execute(tx, claims.claimDue(claimOf(s)))
    },
    holdLane: async (tx, s) => {
      await execute(tx, claims.holdLane(claimOf(s)))
    },
    makeDueAgain: async (tx, s) => {
      await lockToDeliver(tx, s)
      const { tenantId, webhookId, event, now } = s
      const sequences = [event.sequence]
      await execute(tx, claims.makeDueAgain({ tenantId, webhookId, sequences, now }))
    },
  }),
  queriesFile('domain/deliveries/lane-queries.ts', lane, {
    findInOrder: async (tx) => {
      await execute(tx, lane.findInOrder({ off: 'off' }))
    },
    deliverLightly: async (tx) => {
      await execute(tx, lane.deliverLightly({ off: 'off' }))
    },
    lockRow: async (tx, { tenantId, webhookId }) => {
      await execute(tx, lane.lockRow({ tenantId, webhookId }))
    },
    lockFreeRow: async (tx, { tenantId, webhookId }) => {
      await execute(tx, lane.lockFreeRow({ tenantId, webhookId }))
    },
    readWebhook: async (tx, { tenantId, webhookId }) => {
      await execute(tx, lane.readWebhook({ tenantId, webhookId }))
    },
    insertMissing: async (tx, { tenantId }) => {
      await execute(tx, lane.insertMissing({ tenantId }))
    },
    lockLanes: (tx, { tenantId }) => lane.lockLanes(tx, tenantId),
    freeWaiting: async (tx, s) => {
      await execute(tx, claims.holdLane({ ...claimOf(s), inFlight: [] }))
      await lane.freeWaiting(tx, s.tenantId, { webhookIds: [s.webhookId], now: s.now })
    },
    lowerRetry: async (tx, { tenantId, webhookId, past }) => {
      await execute(tx, lane.lowerRetry({ tenantId, webhookId, at: past }))
    },
    dropFromFlight: async (tx, { tenantId, webhookId, event }) => {
      const { sequence } = event
      await execute(tx, lane.dropFromFlight({ tenantId, webhookId, sequence }))
    },
    setFailures: async (tx, { tenantId, webhookId }) => {
      await execute(tx, lane.setFailures({ tenantId, webhookId, failures: 1 }))
    },
    cancelSome: async (tx, { tenantId, webhookId }) => {
      await execute(tx, lane.findInOrder({ off: 'off' }))
      await execute(tx, lane.cancelSome({ tenantId, webhookId, most: 1_000, last: 1n }))
    },
  }),
  queriesFile('domain/deliveries/record-queries.ts', records, {
    updateDeliveries: async (tx, s) => {
      const { id, recordedAt } = s.event
      const named = { eventIds: [id], first: recordedAt, last: recordedAt }
      await execute(tx, records.updateDeliveries({ ...attemptsOf(s), ...named }))
    },
    insertAttempts: async (tx, s) => {
      await execute(tx, records.insertAttempts(attemptsOf(s)))
    },
    insertWebhookNotices: async (tx, { tenantId, warned, now }) => {
      const eventIds = [raiseOf(warned.facilityId)]
      const answered = eventIds.map((event_id) => ({ event_id, ended_at: now }))
      const notices = { tenantId, eventIds, answered: JSON.stringify(answered) }
      await execute(tx, records.insertWebhookNotices(notices))
    },
    cancelLost: async (tx, s) => {
      await execute(tx, records.cancelLost(recordOf(s)))
    },
  }),
]
