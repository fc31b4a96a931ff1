import { DAY_MS, HOUR_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { listPresentScopes, sumScopes } from '../../tenants/each-tenant.ts'
import type { TermsAt } from '../policy.ts'
import { toPasses } from '../stress/book-terms.ts'
import { loadMarkets, type MarketSource } from '../stress/scenario.ts'
import {
  insertPoints,
  insertRounds,
  lockRounds,
  selectRounds,
  updateRounds,
} from './ltv-queries.ts'

const BATCH = 100

export type PointsContext = { source: MarketSource; termsAt: TermsAt; realNow: Date }

/** Of each tenant whose clock has come to another hour, once; returns how many tenants that were. */
export async function takePoints(db: Db, context: PointsContext): Promise<number> {
  return await sumScopes(await listPresentScopes(db), async (tenantId) => {
    await insertRounds(db, tenantId)
    return await takeDue(db, await selectRounds(db, tenantId), context)
  })
}

async function takeDue(
  db: Db,
  rounds: readonly { tenantId: string; hour: Date }[],
  context: PointsContext,
): Promise<number> {
  const due: string[] = []
  for (const { tenantId, hour } of rounds) {
    if (hourOf(await context.source.clockFor(db, tenantId)) > hour) due.push(tenantId)
  }
  let taken = 0
  for (let from = 0; from < due.length; from += BATCH) {
    taken += await takeOf(db, due.slice(from, from + BATCH), context)
  }
  return taken
}

async function takeOf(
  db: Db,
  tenantIds: readonly string[],
  { source, termsAt, realNow }: PointsContext,
): Promise<number> {
  const markets = await loadMarkets(db, source, [], tenantIds)
  return await inTransaction(db, async (tx) => {
    const hours = new Map(
      (await lockRounds(tx, tenantIds)).map(({ tenantId, hour }) => [tenantId, hour]),
    )
    const due = markets.filter(({ tenantId, now }) => hourOf(now) > (hours.get(tenantId) ?? now))
    if (due.length === 0) return 0
    const newDay = due.filter(({ tenantId, now }) => dayOf(now) > dayOf(hours.get(tenantId) ?? now))
    const tenantsOfDay = newDay.map(({ tenantId }) => tenantId)
    const own = await termsAt(tx, realNow)
    for (const pass of await toPasses(tx, { own }, due)) {
      await insertPoints(tx, pass, realNow, tenantsOfDay)
    }
    const rounds = due.map(({ tenantId, now }) => ({ tenantId, hour: hourOf(now) }))
    await updateRounds(tx, rounds)
    return due.length
  })
}

const hourOf = (at: Date) => new Date(at.getTime() - (at.getTime() % HOUR_MS))

const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS)
