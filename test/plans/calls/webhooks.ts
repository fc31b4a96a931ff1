import { execute } from '../../../src/db/transactions/execute.ts'
import * as claims from '../../../src/domain/webhooks/deliveries/claim-queries.ts'
import * as deliveries from '../../../src/domain/webhooks/deliveries/delivery-queries.ts'
import * as due from '../../../src/domain/webhooks/deliveries/due-queries.ts'
import * as lane from '../../../src/domain/webhooks/deliveries/lane-queries.ts'
import * as outcomes from '../../../src/domain/webhooks/deliveries/outcome-queries.ts'
import * as recovery from '../../../src/domain/webhooks/deliveries/recovery-queries.ts'
import * as webhooks from '../../../src/domain/webhooks/queries.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const LEASE = '00000000-0000-4000-8000-000000000000'

const outcomeOf = ({ tenantId, webhookId, event, now }: Sample) => ({
  tenantId,
  webhookId,
  eventId: event.id,
  recordedAt: event.recordedAt,
  lease: LEASE,
  number: 60_001,
  startedAt: now,
  status: 200,
  error: null,
  durationMs: 1,
  responseExcerpt: '',
  requested: false,
  state: 'delivered' as const,
  failures: 0,
  nextAttemptAt: null,
})

const leaseOf = ({ tenantId, webhookId, event, soon }: Sample) => ({
  tenantId,
  webhookId,
  eventId: event.id,
  recordedAt: event.recordedAt,
  lease: LEASE,
  leasedUntil: soon,
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
    lockWebhook: (tx, { tenantId, webhookId }) => webhooks.lockWebhook(tx, tenantId, webhookId),
    selectActiveWebhooks: (tx, { tenantId }) => webhooks.selectActiveWebhooks(tx, tenantId),
    lockActiveWebhooks: (tx, { tenantId }) => webhooks.lockActiveWebhooks(tx, tenantId),
    updateWebhookState: (tx, { tenantId, webhookId, now }) =>
      webhooks.updateWebhookState(tx, tenantId, webhookId, {
        from: ['active'],
        to: 'disabled',
        at: now,
      }),
    updateFailureCounters: async (tx, { tenantId, webhookId }) => {
      const counter = { tenantId, webhookId, failedAttempts: 1 }
      await webhooks.updateFailureCounters(tx, [counter])
      await webhooks.updateFailureCounters(tx, [counter, { ...counter, tenantId: 'another' }])
    },
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
  queriesFile('domain/webhooks/deliveries/delivery-queries.ts', deliveries, {
    selectDeliveries: (tx, { tenantId, webhookId, event }) =>
      deliveries.selectDeliveries(tx, tenantId, webhookId, {
        states: ['pending', 'delivered'],
        before: event.sequence,
        limit: 101,
      }),
    selectDeliveriesOfEvent: (tx, { tenantId, event }) =>
      deliveries.selectDeliveriesOfEvent(tx, tenantId, named(event), 100),
    lockDelivery: (tx, { tenantId, webhookId, event }) =>
      deliveries.lockDelivery(tx, tenantId, webhookId, {
        eventId: event.id,
        recordedAt: event.recordedAt,
      }),
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
  queriesFile('domain/webhooks/deliveries/recovery-queries.ts', recovery, {
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
  queriesFile('domain/webhooks/deliveries/due-queries.ts', due, {
    selectWebhooksWithDue: (tx, { now }) => due.selectWebhooksWithDue(tx, now),
    selectOldestDue: (tx, { now }) => due.selectOldestDue(tx, now),
    lowerDue: (tx, { tenantId, webhookId, past }) => due.lowerDue(tx, tenantId, webhookId, past),
    // As a lane does: what it has locked is planned as the lock has set it.
    settleDue: async (tx, { tenantId, webhookId }) => {
      await lane.lockLane(tx, { tenantId, webhookId })
      await due.settleDue(tx, [{ tenantId, webhookId }])
    },
    clearDue: (tx, { tenantId, webhookId }) => due.clearDue(tx, tenantId, webhookId),
  }),
  queriesFile('domain/webhooks/deliveries/claim-queries.ts', claims, {
    claimDue: async (tx, { tenantId, webhookId, now, distributed }) => {
      await lane.lockLane(tx, { tenantId, webhookId })
      await claims.claimDue(tx, [{ tenantId, webhookId, limit: 10 }], { now, distributed })
    },
    claimFree: async (tx, { tenantId, webhookId, now }) => {
      await claims.claimFree(tx, [{ tenantId, webhookId, limit: 10 }], now)
    },
    writeLeases: async (tx, s) => {
      await lane.lockLane(tx, s)
      await claims.writeLeases(tx, [leaseOf(s)], s.distributed)
    },
    sendLeases: async (tx, s) => {
      await lane.lockLane(tx, s)
      claims.sendLeases(tx, [leaseOf(s)])
    },
  }),
  queriesFile('domain/webhooks/deliveries/lane-queries.ts', lane, {
    lockLane: (tx, { tenantId, webhookId }) => lane.lockLane(tx, { tenantId, webhookId }),
    lockFreeLanes: (tx, { tenantId, webhookId }) =>
      lane.lockFreeLanes(tx, [{ tenantId, webhookId }]),
    lockFreeLanesFirst: (tx, { tenantId, webhookId }) =>
      execute(tx, lane.lockFreeLanesFirst({ tenantIds: [tenantId], webhookIds: [webhookId] })),
    commitDurably: (tx) => lane.commitDurably(tx),
    cancelPending: (tx, { tenantId, webhookId }) => lane.cancelPending(tx, tenantId, webhookId),
  }),
  queriesFile('domain/webhooks/deliveries/outcome-queries.ts', outcomes, {
    writeOutcomes: async (tx, s) => {
      await lane.lockLane(tx, s)
      await outcomes.writeOutcomes(tx, [outcomeOf(s)], s.distributed)
    },
    sendOutcomes: async (tx, s) => {
      await lane.lockLane(tx, s)
      outcomes.sendOutcomes(tx, [outcomeOf(s)])
    },
  }),
]
