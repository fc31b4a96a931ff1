import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../src/db/database.ts'
import { isConnectionLost } from '../../../src/db/errors.ts'
import { type Disturbances, IN_HAND, type Target } from '../disturbances.ts'
import type { World } from '../world/world.ts'

type Timed = {
  disturbances: Disturbances
  report(text: string): void
  complain(text: string): void
}

const TAKEN_OVER_MS = 20_000

/** Waits until another worker has what was being delivered at this moment. */
export async function takeOver(
  context: Timed & { world: World },
  needed: readonly Target[],
): Promise<void> {
  const end = context.disturbances.begin(IN_HAND)
  await within(context, TAKEN_OVER_MS, needed, async () => {
    const held = await readLeases(context.world.db)
    await untilGone(context.world.db, held)
    return `${held.length} deliveries that were under way were taken over`
  }).finally(end)
}

/**
 * Times and reports what `act` does, and complains if it took longer than `boundMs` of the time in
 * which what it needs was well.
 */
export async function within(
  { disturbances, report, complain }: Timed,
  boundMs: number,
  needed: readonly Target[],
  act: () => Promise<string>,
): Promise<void> {
  const since = performance.now()
  const what = await act()
  const ms = Math.round(disturbances.undisturbedMs(since, performance.now(), needed))
  report(`${what} within ${ms} ms`)
  if (ms > boundMs) complain(`${what} only within ${ms} ms, where ${boundMs} are promised`)
}

/** Leases of lanes, of any worker. */
async function readLeases(db: Db): Promise<string[]> {
  for (;;) {
    try {
      const rows = await db
        .selectFrom('lanes')
        .select('lease')
        .where('lease', 'is not', null)
        .execute()
      return rows.flatMap(({ lease }) => (lease === null ? [] : [lease]))
    } catch (error) {
      // Another fault may have taken the database.
      if (!isConnectionLost(error)) throw error
      await pause(100)
    }
  }
}

/** Resolves once each of these leases was given back or has passed on. */
async function untilGone(db: Db, held: readonly string[]): Promise<void> {
  for (const wanted = new Set(held); ; await pause(50)) {
    const leases = await readLeases(db)
    if (!leases.some((lease) => wanted.has(lease))) return
  }
}
