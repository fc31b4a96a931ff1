import { z } from 'zod'
import { addMs, HOUR_MS, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { deleteProcess, selectProcesses, upsertProcess } from './process-queries.ts'
import { mergeProviders, type ProviderHealth } from './provider-calls.ts'

export const REPORT_MS = 10 * SECOND_MS

/** A process that has missed two reports is hung, cut off or dead. */
const SILENT_MS = 3 * REPORT_MS

const FORGOTTEN_MS = HOUR_MS

/** A crash loop must not fill a page. */
const MOST_LISTED = 200

const instant = z.iso.datetime().transform((text) => new Date(text))
const breaker = z.enum(['closed', 'half_open', 'open'])

const providerCalls = z.object({
  provider: z.string(),
  breaker,
  breakerSince: instant,
  answered: z.int(),
  failed: z.int(),
  heldBack: z.int(),
  durations: z.array(z.int()),
  lastFailure: z.object({ outcome: z.string(), at: instant }).optional(),
})

/** Another build's report may have more, or lack a member. */
const reportSchema = z.object({
  schema: z.string().default(''),
  keyIds: z.array(z.string()).default([]),
  redis: z.enum(['ok', 'unreachable']).default('ok'),
  connections: z
    .object({ used: z.int(), idle: z.int(), waiting: z.int() })
    .default({ used: 0, idle: 0, waiting: 0 }),
  providers: z.array(providerCalls).default([]),
})

export type ProcessReport = z.output<typeof reportSchema>

export type ProcessName = {
  processId: string
  kind: 'api' | 'worker'
  host: string
  version: string
  startedAt: Date
}

export type RunningProcess = ProcessName & {
  reportedAt: Date
  isSilent: boolean
  /** `schema`: the newest migration that its build knows. `keyIds`: the first encrypts. */
  report: ProcessReport
}

/** Returns the time of the database's clock. */
export async function reportProcess(
  db: Db,
  { processId, kind, host, version, startedAt }: ProcessName,
  report: ProcessReport,
  realNow: Date,
): Promise<Date> {
  const row = {
    ...{ process_id: processId, kind, host, version, started_at: startedAt },
    ...{ reported_at: realNow, report },
  }
  return await upsertProcess(db, row, addMs(realNow, -FORGOTTEN_MS))
}

export async function forgetProcess(db: Db, processId: string): Promise<void> {
  await deleteProcess(db, processId)
}

/** Those that have reported within the hour and did not end in order, the latest report first. */
export async function listProcesses(db: Db, realNow: Date): Promise<RunningProcess[]> {
  const rows = await selectProcesses(db, MOST_LISTED)
  return rows.map((row) => ({
    processId: row.process_id,
    kind: row.kind,
    host: row.host,
    version: row.version,
    startedAt: row.started_at,
    reportedAt: row.reported_at,
    isSilent: realNow.getTime() - row.reported_at.getTime() > SILENT_MS,
    report: reportSchema.catch(() => reportSchema.parse({})).parse(row.report),
  }))
}

/** As the processes that are not silent see them. */
export function listProviders(processes: readonly RunningProcess[]): ProviderHealth[] {
  return mergeProviders(
    processes
      .filter(({ isSilent }) => !isSilent)
      .map(({ processId, report }) => ({ processId, providers: report.providers })),
  )
}
