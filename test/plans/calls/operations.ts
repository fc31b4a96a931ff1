import * as keys from '../../../src/domain/operations/key-queries.ts'
import * as partitions from '../../../src/domain/operations/partition-queries.ts'
import * as processes from '../../../src/domain/operations/process-queries.ts'
import * as queue from '../../../src/domain/operations/queue-queries.ts'
import * as webhooks from '../../../src/domain/operations/webhook-queries.ts'
import { PRIORITIES } from '../../../src/domain/work/topics.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const RANKS = Object.values(PRIORITIES).map(({ rank }) => rank)
const PROCESS_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

const processOf = ({ now }: Sample) => ({
  ...{ process_id: PROCESS_ID, kind: 'api' as const, host: 'api-1', version: '1.0.0' },
  ...{ started_at: now, reported_at: now, report: {} },
})
const all = { tenantId: undefined, trouble: undefined, failures: 1 }

export const OPERATIONS_CALLS = [
  queriesFile('domain/operations/process-queries.ts', processes, {
    upsertProcess: (tx, s) => processes.upsertProcess(tx, processOf(s), s.past),
    deleteProcess: async (tx, s) => {
      await processes.upsertProcess(tx, processOf(s), s.past)
      await processes.deleteProcess(tx, PROCESS_ID)
    },
    selectProcesses: async (tx, s) => {
      await processes.upsertProcess(tx, processOf(s), s.past)
      await processes.selectProcesses(tx, 200)
    },
  }),
  queriesFile('domain/operations/queue-queries.ts', queue, {
    countReady: (tx) => queue.countReady(tx, RANKS, 10_000),
    countRunning: (tx, { now, soon }) => queue.countRunning(tx, now, soon),
    selectHeartbeat: (tx) => queue.selectHeartbeat(tx),
  }),
  queriesFile('domain/operations/webhook-queries.ts', webhooks, {
    selectTroubledWebhooks: async (tx, { tenantId, now }) => {
      const first = { after: undefined, limit: 101 }
      await webhooks.selectTroubledWebhooks(tx, all, first, now)
      const later = { after: [tenantId, ''], limit: 101 }
      await webhooks.selectTroubledWebhooks(tx, all, later, now)
      const failing = { tenantId, trouble: 'failing' as const, failures: 1 }
      await webhooks.selectTroubledWebhooks(tx, failing, first, now)
      const disabled = { ...failing, trouble: 'disabled' as const }
      await webhooks.selectTroubledWebhooks(tx, disabled, first, now)
    },
    countTroubledWebhooks: (tx) => webhooks.countTroubledWebhooks(tx, 25),
  }),
  queriesFile('domain/operations/partition-queries.ts', partitions, {
    selectPartitions: (tx) => partitions.selectPartitions(tx),
  }),
  queriesFile('domain/operations/key-queries.ts', keys, {
    countByKey: (tx) => keys.countByKey(tx),
  }),
]
