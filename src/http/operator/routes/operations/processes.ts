import { z } from 'zod'
import {
  listProcesses,
  listProviders,
  type RunningProcess,
} from '../../../../domain/operations/processes.ts'
import type { ProviderHealth } from '../../../../domain/operations/provider-calls.ts'
import { bodyOf } from '../../../schemas/body-of.ts'
import { listOf, timestamp } from '../../../schemas/fields.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'

const PROCESS_EXAMPLE = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  kind: 'worker' as const,
  host: 'worker-1',
  version: '1.0.0+3f2a1bc4.2026-11-28',
  schema: '0022-audit',
  started_at: '2026-11-22T08:00:00.000Z',
  reported_at: '2026-11-22T12:00:00.000Z',
  age_seconds: 4,
  silent: false,
  redis: 'ok' as const,
  connections: { used: 2, idle: 3, waiting: 0 },
  key_ids: ['k2', 'k1'],
}

const processSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['api', 'worker']),
    host: z.string(),
    version: z.string().describe('With the commit and date of its image, as `build` of /healthz'),
    schema: z.string().describe('The newest migration that its build knows'),
    started_at: timestamp,
    reported_at: timestamp,
    age_seconds: z.int().describe('Of its report, which it makes every 10 s'),
    silent: z.boolean().describe('It has missed its last reports: hung, cut off or dead'),
    redis: z.enum(['ok', 'unreachable']),
    connections: z
      .strictObject({ used: z.int(), idle: z.int(), waiting: z.int() })
      .describe('To the database'),
    key_ids: z.array(z.string()).describe('Encryption keys that it has; the first encrypts'),
  })
  .meta({ id: 'Process', examples: [PROCESS_EXAMPLE] })

const processesSchema = listOf(processSchema, 'Processes', PROCESS_EXAMPLE)

const PROVIDER_EXAMPLE = {
  provider: 'custodian',
  breaker: 'closed' as const,
  answered: 812,
  failed: 3,
  held_back: 0,
  p50_ms: 50,
  p95_ms: 250,
  last_failure: { outcome: 'timeout', at: '2026-11-22T11:58:00.000Z' },
  processes: [
    {
      process_id: PROCESS_EXAMPLE.id,
      breaker: 'closed' as const,
      since: '2026-11-22T08:00:00.000Z',
    },
  ],
}

const breaker = z.enum(['closed', 'half_open', 'open'])
const classEnd = z
  .int()
  .nullable()
  .describe('The upper end of its class; null without calls, or above 15 s')

const providerSchema = z
  .strictObject({
    provider: z.string(),
    breaker: breaker.describe('The worst of all processes'),
    answered: z.int().describe('Of the last five minutes, as the rest'),
    failed: z.int(),
    held_back: z.int().describe('Not sent, because a breaker was open'),
    p50_ms: classEnd,
    p95_ms: classEnd,
    last_failure: z.strictObject({ outcome: z.string(), at: timestamp }).nullable(),
    processes: z.array(z.strictObject({ process_id: z.string(), breaker, since: timestamp })),
  })
  .meta({ id: 'Provider', examples: [PROVIDER_EXAMPLE] })

const providersSchema = z
  .strictObject({
    items: z.array(providerSchema),
    oldest_report_seconds: z.int().nullable().describe('Null where no process reports'),
  })
  .meta({ id: 'Providers', examples: [{ items: [PROVIDER_EXAMPLE], oldest_report_seconds: 7 }] })

export function processRoutes(app: OperatorApp, { db, clock }: OperatorContext): void {
  app.get('/processes', {
    id: 'listProcesses',
    summary: 'List the processes that have reported within the hour, with version and keys',
    tag: 'Operations',
    response: { 200: processesSchema },
    async handler() {
      const now = clock()
      return { items: (await listProcesses(db, now)).map((process) => toProcess(process, now)) }
    },
  })

  app.get('/providers', {
    id: 'listProviders',
    summary: 'List the providers called over HTTP, with breakers and durations',
    tag: 'Operations',
    response: { 200: providersSchema },
    async handler() {
      const now = clock()
      const processes = (await listProcesses(db, now)).filter(({ isSilent }) => !isSilent)
      const oldest = processes.at(-1)
      return {
        items: listProviders(processes).map(toProvider),
        oldest_report_seconds: oldest ? ageSeconds(oldest.reportedAt, now) : null,
      }
    },
  })
}

const ageSeconds = (at: Date, now: Date) =>
  Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000))

const showProcess = bodyOf(processSchema)
const showProvider = bodyOf(providerSchema)

const toProcess = (
  { report, processId: id, isSilent: silent, ...process }: RunningProcess,
  now: Date,
) =>
  showProcess({
    ...{ ...process, ...report, id, silent },
    ageSeconds: ageSeconds(process.reportedAt, now),
  })

const finite = (ms: number | undefined) => (ms !== undefined && Number.isFinite(ms) ? ms : null)

const toProvider = ({ p50Ms, p95Ms, processes, ...health }: ProviderHealth) =>
  showProvider({
    ...{ ...health, p50Ms: finite(p50Ms), p95Ms: finite(p95Ms) },
    processes: processes.map((process) => ({ ...process, since: process.breakerSince })),
  })
