import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ProblemError } from '../../../src/client/problem-error.ts'
import { borrow } from '../../faults/actors/borrowing.ts'
import { createRandom } from '../../faults/actors/random.ts'
import { type Receivers, startReceivers } from '../../faults/actors/receivers.ts'
import { openTenant, type Tenant } from '../../faults/actors/tenant.ts'
import { openSentLog, type SentLog } from '../../faults/checks/sent-log.ts'
import type { Keep } from '../../support/world/keep.ts'
import type { Stack } from './stack.ts'

/** What signed requests at an even pace met, each of them sent once. */
export type Measured = {
  requests: number
  /** How often each failure was met: a status with its code, or `unreachable`. */
  failures: Readonly<Record<string, number>>
  /** The longest time in which no write was answered with success. */
  longestGapMs: number
}

export type Traffic = {
  tenant: Tenant
  /** All of the database: this one, and those that a drill adds. */
  tenants: Tenant[]
  receivers: Receivers
  log: SentLog
  complaints: string[]
  /** Resolves once so many more requests have succeeded. */
  untilServed(requests: number): Promise<void>
  /** Resolves once a write has failed from now on. */
  untilFailed(): Promise<void>
  /** Ends it; nothing is under way when this resolves. */
  stop(): Promise<Measured>
}

const EVERY_MS = 25
const BORROWERS = 2

type Probe = { isWrite: boolean; at: number; failure: string | undefined }

/** Signed reads and writes in turn, forty a second, beside borrowers who borrow,
 * repay and leave. */
export async function startTraffic(
  keep: Keep,
  stack: Pick<Stack, 'folder' | 'origins' | 'databaseUrl' | 'receiverHost'>,
): Promise<Traffic> {
  const random = createRandom('drill')
  const log = keep.use(openSentLog(join(keep.folder, `sent-${randomUUID()}.jsonl`)))
  const receivers = keep.use(await startReceivers())
  const tenant = await openTenant(stack, log, `tenant-${randomUUID()}`, random)
  const url = new URL(receivers.urlOf(`/${tenant.name}`))
  url.hostname = stack.receiverHost
  await tenant.client.registerWebhook({ url: url.href })
  const stop = new AbortController()
  // A drill that breaks off must end too.
  keep.defer(() => stop.abort())
  const complaints: string[] = []
  const complain = (text: string) => void complaints.push(text)
  const stage = { tenant, others: [], receivers, stop: stop.signal, canary: 'Drill', complain }
  const borrowing = Array.from({ length: BORROWERS }, (_, nth) =>
    borrow({ ...stage, random: random.fork(`borrower ${nth}`) }),
  )
  const probes: Probe[] = []
  const startedAt = performance.now()
  const probing = probe(tenant, probes, stop.signal)
  const served = () => probes.filter(({ failure }) => failure === undefined).length
  return {
    tenant,
    tenants: [tenant],
    receivers,
    log,
    complaints,
    async untilServed(requests) {
      const wanted = served() + requests
      while (served() < wanted) await pause(EVERY_MS)
    },
    async untilFailed() {
      const from = probes.length
      const isFailure = ({ isWrite, failure }: Probe) => isWrite && failure !== undefined
      while (!probes.slice(from).some(isFailure)) await pause(EVERY_MS)
    },
    async stop() {
      stop.abort()
      await Promise.all([...borrowing, probing])
      return measure(probes, startedAt)
    },
  }
}

async function probe({ hastyClient }: Tenant, probes: Probe[], stop: AbortSignal): Promise<void> {
  const send = async (isWrite: boolean) => {
    const failure = await (isWrite
      ? hastyClient.createBorrower(NEW_BORROWER)
      : hastyClient.listDocuments()
    )
      .then(() => undefined)
      .catch(describe)
    probes.push({ isWrite, at: performance.now(), failure })
  }
  const sent: Promise<void>[] = []
  while (!stop.aborted) {
    sent.push(send(sent.length % 2 === 0))
    await pause(EVERY_MS, undefined, { signal: stop }).catch(() => undefined)
  }
  await Promise.all(sent)
}

const NEW_BORROWER = {
  type: 'individual',
  kyc_attested: true,
  residency_country: 'US',
  residency_state: 'CA',
} as const

const describe = (error: unknown) =>
  error instanceof ProblemError ? `${error.status} ${error.code}` : 'unreachable'

function measure(probes: readonly Probe[], startedAt: number): Measured {
  const failures: Record<string, number> = {}
  for (const { failure } of probes) {
    if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1
  }
  const successes = probes
    .filter(({ isWrite, failure }) => isWrite && failure === undefined)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  const gaps = successes.map((at, index) => at - (successes[index - 1] ?? startedAt))
  return { requests: probes.length, failures, longestGapMs: Math.round(Math.max(...gaps)) }
}
