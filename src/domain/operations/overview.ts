import type { Db } from '../../db/database.ts'
import { countRefusedRefunds } from '../facilities/refunds/redirect-refund.ts'
import { countUndecidedReceipts } from '../repayments/undecided.ts'
import { countStuckWork } from '../work/stuck.ts'
import { listEncryptionKeys } from './keys.ts'
import { listPartitions, type RetentionDays } from './partitions.ts'
import { readPriceSources } from './prices.ts'
import { findProblems, type OperationsFacts, type Problem } from './problems.ts'
import { listProcesses, listProviders } from './processes.ts'
import { readQueueLag } from './queue.ts'
import { countWebhooksInTrouble } from './webhooks.ts'

export async function readProblems(
  db: Db,
  { audit, retention }: { audit: OperationsFacts['audit']; retention: RetentionDays },
  realNow: Date,
): Promise<Problem[]> {
  const processes = await listProcesses(db, realNow)
  const facts: OperationsFacts = {
    ...{ processes, providers: listProviders(processes), audit },
    queue: await readQueueLag(db, realNow),
    stuck: await countStuckWork(db),
    webhooks: await countWebhooksInTrouble(db),
    refusedRefunds: await countRefusedRefunds(db),
    undecidedReceipts: await countUndecidedReceipts(db),
    prices: await readPriceSources(db, realNow),
    partitions: await listPartitions(db, retention, realNow),
    keys: await listEncryptionKeys(db, processes),
  }
  return findProblems(facts, realNow)
}
