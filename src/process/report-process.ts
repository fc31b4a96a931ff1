import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import manifest from '../../package.json' with { type: 'json' }
import { readPool } from '../db/database.ts'
import { NEWEST_MIGRATION } from '../db/migrate/migrate.ts'
import { forgetProcess, REPORT_MS, reportProcess } from '../domain/operations/processes.ts'
import { repeat } from '../jobs/repeat.ts'
import type { Resources } from './resources.ts'

type Reporting = Pick<
  Resources,
  'db' | 'clock' | 'config' | 'slots' | 'queueRedis' | 'callWindows' | 'logger'
>

/** Writes what this process is and sees, every few seconds, until `end`, which removes it. */
export function startReports(
  resources: Reporting,
  kind: 'api' | 'worker',
): { end: () => Promise<void> } {
  const { db, clock, logger } = resources
  const process = {
    ...{ processId: randomUUID(), kind, host: hostname(), version: manifest.version },
    startedAt: clock(),
  }
  const stop = new AbortController()
  const report = () => reportProcess(db, process, makeReport(resources), clock())
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
