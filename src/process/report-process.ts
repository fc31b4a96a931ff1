import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { SECOND_MS } from '../core/time.ts'
import { readPool } from '../db/database.ts'
import { NEWEST_MIGRATION } from '../db/migrate/migrate.ts'
import { forgetProcess, REPORT_MS, reportProcess } from '../domain/operations/processes.ts'
import { repeat } from '../jobs/repeat.ts'
import type { Resources } from './resources.ts'

/** A slower answer does not show when the database read its clock. */
const MOST_MS = SECOND_MS

type Reporting = Pick<
  Resources,
  | 'db'
  | 'clock'
  | 'kind'
  | 'build'
  | 'config'
  | 'slots'
  | 'queueRedis'
  | 'callWindows'
  | 'logger'
  | 'metrics'
>

/** Writes what this process is and sees, every few seconds, until `end`, which removes it. Each time it
 * compares its clock with the database's. */
export function startReports(resources: Reporting): { end: () => Promise<void> } {
  const { db, clock, kind, build, logger, metrics } = resources
  const process = {
    ...{ processId: randomUUID(), kind, host: hostname(), version: build },
    startedAt: clock(),
  }
  const stop = new AbortController()
  const report = async () => {
    const [before, begun] = [clock(), performance.now()]
    const theirs = await reportProcess(db, process, makeReport(resources), before)
    const tookMs = performance.now() - begun
    if (tookMs > MOST_MS) return
    const ours = before.getTime() + tookMs / 2
    metrics.clockOffset.set((ours - theirs.getTime()) / SECOND_MS)
  }
  const onError = (error: unknown) => logger.warn({ err: error }, 'process report failed')
  const reporting = repeat(stop.signal, () => REPORT_MS, report, onError)
  return {
    async end() {
      stop.abort()
      await reporting
      await forgetProcess(db, process.processId)
    },
  }
}

function makeReport({ db, config, slots, queueRedis, callWindows }: Reporting) {
  const { total, idle, waiting } = readPool(db)
  return {
    schema: NEWEST_MIGRATION,
    keyIds: config.encryptionKeys.map(({ id }) => id),
    redis: queueRedis.status === 'ready' ? ('ok' as const) : ('unreachable' as const),
    connections: { used: total - idle, idle, waiting: waiting + slots.waiting() },
    providers: callWindows.read(),
  }
}
