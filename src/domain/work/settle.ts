import { gather } from '../../core/gather.ts'
import type { Db } from '../../db/database.ts'
import { wakeAfterStatement } from '../../db/database.ts'
import { inScopes } from '../tenants/each-tenant.ts'
import type { Claim } from './claim.ts'
import { type SettlementRow, settleRows } from './settle-queries.ts'
import { topicRow } from './topics.ts'

/** No effect once another worker has claimed the work. */
export type Settlement = {
  claim: Claim
  now: Date
  outcome:
    | { kind: 'done' }
    | { kind: 'again'; at: Date }
    | { kind: 'failed'; at: Date; error: string }
}

export type Settle = (settlement: Settlement) => Promise<void>

const MOST_AT_ONCE = 500

const SETTLED = Promise.resolve()

export function settleAtOnce(db: Db): Settle {
  return async (settlement) => {
    await settleLast(db, toRow(settlement))
  }
}

/** A group commit: settles together what ends during the statement before, so that many short runs
 * cost one statement and a single run waits for nothing. Rows that a request has locked are waited
 * for on one other connection. */
export function createSettler(db: Db): Settle {
  let lockedBefore = Promise.resolve()

  const settleLocked = (row: SettlementRow) => {
    const settling = lockedBefore.then(() => settleLast(db, row))
    lockedBefore = settling.catch(() => undefined)
    return settling
  }

  return gather({
    ...{ most: MOST_AT_ONCE, waitMs: 0, sideBySide: 1 },
    async run(settlements: readonly Settlement[]): Promise<readonly Promise<void>[]> {
      const given = settlements.map((one) => ({ tenantId: one.claim.tenantId, row: toRow(one) }))
      const scopes = await inScopes(db, given).catch(() => [given])
      const held = await Promise.allSettled(
        scopes.map((some) =>
          settleSome(
            db,
            some.map(({ row }) => row),
            'pass over locked',
          ),
        ),
      )
      const answers = new Map<SettlementRow, Promise<void>>()
      for (const [at, outcome] of held.entries()) {
        const isSettled = new Set(outcome.status === 'fulfilled' ? outcome.value.map(keyOf) : [])
        for (const { row } of scopes[at] ?? []) {
          if (outcome.status === 'rejected') answers.set(row, Promise.reject(outcome.reason))
          else answers.set(row, isSettled.has(keyOf(row)) ? SETTLED : settleLocked(row))
        }
      }
      return given.map(({ row }) => answers.get(row) ?? SETTLED)
    },
  })
}

async function settleLast(db: Db, row: SettlementRow): Promise<void> {
  await settleSome(db, [row], 'wait for locked')
}

async function settleSome(
  db: Db,
  rows: readonly SettlementRow[],
  locked: 'pass over locked' | 'wait for locked',
): Promise<Settled[]> {
  const held = await settleRows(db, rows, locked)
  const settled = held.filter((row) => row.is_settled)
  wakeFor(db, settled)
  if (locked === 'pass over locked' || settled.length === held.length) return settled
  return await settleSome(db, rows, locked)
}

type Settled = { tenant_id: string; topic: string; subject_id: string; is_ready: boolean }

function wakeFor(db: Db, settled: readonly Settled[]): void {
  for (const { tenant_id: tenantId, topic, subject_id: subjectId, is_ready: isReady } of settled) {
    if (isReady) wakeAfterStatement(db, { kind: 'work', tenantId, topic, subjectId })
  }
}

const keyOf = (row: { tenant_id: string; topic: string; subject_id: string }) =>
  `${row.tenant_id} ${row.topic} ${row.subject_id}`

function toRow({ claim, now, outcome }: Settlement): SettlementRow {
  const isDeadline = topicRow(claim.topic).clock === 'tenant'
  const at = outcome.kind === 'done' ? undefined : outcome.at
  return {
    tenant_id: claim.tenantId,
    topic: claim.topic,
    subject_id: claim.subjectId,
    lease: claim.lease,
    generation: claim.generation,
    now,
    done: outcome.kind === 'done',
    // A deadline keeps its instant, and with it its place.
    due_at: isDeadline ? undefined : at,
    held_until: isDeadline ? at : undefined,
    error: outcome.kind === 'failed' ? outcome.error : undefined,
  }
}
