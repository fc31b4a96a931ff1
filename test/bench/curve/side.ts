import { setTimeout as pause } from 'node:timers/promises'
import { createSealer } from '../../../src/core/sealing.ts'
import { createDatabase, type Db, inTransaction } from '../../../src/db/database.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import type { AppendAnswer, AppendQuestion } from '../companions/append-events.ts'
import type { Load, LoadResult } from '../companions/load.ts'
import {
  type Companion,
  ENCRYPTION_KEY,
  serviceEnvironment,
  startCompanion,
  startService,
} from '../companions/processes.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { type Signatory, seedTenant } from '../data/seed.ts'
import { addWebhooks } from '../data/webhook-data.ts'
import { describeMachine } from '../machine.ts'
import { findArrivals } from '../measurements/latency.ts'
import { isWaiting, LIVE_TYPES, LIVE_WRITERS } from '../measurements/live.ts'
import { openCleanup } from '../open-cleanup.ts'
import { percentile } from '../report.ts'
import { type Stores, startStores } from '../stores.ts'

/** Requests and events of a round. The events a second are those of the measurement (d). */
export type RoundSizes = { reads: number; creations: number; events: number; paced: number }

const CONNECTIONS = 32
const PACED_PER_SECOND = 100

export const OPERATIONS = ['signed reads', 'signed creations', 'created and delivered'] as const
export type Operation = (typeof OPERATIONS)[number]

export type Figures = Record<Operation, { perSecond: number; p99Ms: number }>

/** A whole service over stores of its own, with one tenant that sends requests and gets events. */
export type Side = {
  db: Db
  signatory: Signatory
  webhookIds: readonly string[]
  /** Keys in whose names the reads are sent in turn; at first the signatory's alone. */
  keyIds: string[]
  describe(): Promise<string>
  stop(): Promise<void>
  measure(sizes: RoundSizes): Promise<Figures>
}

const NEW_BORROWER = JSON.stringify({
  type: 'individual',
  kyc_attested: true,
  residency_country: 'DE',
})

export async function startSide(cleanup: AsyncDisposableStack): Promise<Side> {
  const own = cleanup.use(openCleanup())
  const stores = await startStores(own, 'sandbox')
  const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 4 })
  own.defer(() => db.destroy())
  const signatory = await seedTenant(db)
  const companions = startCompanions(own)
  const all = await companions.all.ask({ ask: 'listen', noteArrivals: false })
  const noted = await companions.noted.ask({ ask: 'listen', noteArrivals: true })
  const { tenantId } = signatory
  const webhookIds = await inTransaction(db, async (tx) => {
    await createSigningSecret(tx, tenantId, createSealer([ENCRYPTION_KEY]), new Date())
    const burst = await addWebhooks(tx, tenantId, all.port, LIVE_TYPES.length)
    const paced = await addWebhooks(tx, tenantId, noted.port, 1)
    for (const [at, type] of [...LIVE_TYPES, 'borrower.eligible'].entries()) {
      await tx
        .updateTable('webhooks')
        .set({ event_types: [type] })
        .where('tenant_id', '=', tenantId)
        .where('webhook_id', '=', [...burst, ...paced][at] ?? '')
        .execute()
    }
    return burst
  })
  const keyIds = [signatory.keyId]
  const service = { db, stores, signatory, keyIds, ...companions }
  let api: Promise<{ port: number }> | undefined
  // Once the data is there, so that neither works on it meanwhile.
  const start = async () => {
    await startService('worker', stores, own)
    return await startService('server', stores, own)
  }
  return {
    ...{ db, signatory, webhookIds, keyIds },
    describe: () => describeMachine(db, stores.redisUrl),
    stop: () => own.disposeAsync(),
    async measure(sizes) {
      api ??= start()
      return await measureRound({ ...service, port: (await api).port }, sizes)
    },
  }
}

type Companions = {
  all: Companion<ReceiverQuestion, ReceiverAnswer>
  noted: Companion<ReceiverQuestion, ReceiverAnswer>
  appender: Companion<AppendQuestion, AppendAnswer>
  generator: Companion<Load, LoadResult | { failure: string }>
}

function startCompanions(cleanup: AsyncDisposableStack): Companions {
  const script = (name: string) => new URL(`../companions/${name}.ts`, import.meta.url)
  return {
    all: startCompanion(script('receiver'), cleanup),
    noted: startCompanion(script('receiver'), cleanup),
    appender: startCompanion(script('append-events'), cleanup),
    generator: startCompanion(script('load'), cleanup),
  }
}

type Service = Companions &
  Pick<Side, 'db' | 'signatory' | 'keyIds'> & { stores: Stores; port: number }

async function measureRound(service: Service, sizes: RoundSizes): Promise<Figures> {
  return {
    'signed reads': await send(service, {
      method: 'GET',
      targets: ['/v1/borrowers?limit=10'],
      body: '',
      requests: sizes.reads,
    }),
    'signed creations': await send(service, {
      method: 'POST',
      targets: ['/v1/borrowers'],
      body: NEW_BORROWER,
      requests: sizes.creations,
    }),
    'created and delivered': {
      perSecond: await deliver(service, sizes.events),
      p99Ms: await deliverPaced(service, sizes.paced),
    },
  }
}

async function send(
  { generator, port, keyIds, signatory }: Service,
  load: Pick<Load, 'method' | 'targets' | 'body' | 'requests'>,
): Promise<LoadResult> {
  const { keyId, privateKeyPem } = signatory
  const result = await generator.ask({
    ...load,
    ...{ port, privateKeyPem, connections: CONNECTIONS },
    keyIds: load.method === 'GET' ? keyIds : [keyId],
  })
  if ('failure' in result) throw new Error(`${load.method} ${load.targets[0]}: ${result.failure}`)
  return result
}

/** Events a second, from the first write until the last attempt is recorded. */
async function deliver({ appender, db, stores, signatory }: Service, count: number) {
  const { tenantId } = signatory
  const startedAt = performance.now()
  await appender.ask({
    ask: 'burst',
    environment: serviceEnvironment(stores),
    tenantIds: [tenantId],
    types: LIVE_TYPES,
    writers: LIVE_WRITERS,
    count,
  })
  while (await isWaiting(db, [tenantId])) await pause(10)
  return count / ((performance.now() - startedAt) / 1_000)
}

/** From commit to arrival, the 99th percentile in milliseconds. */
async function deliverPaced({ appender, noted, stores, signatory }: Service, count: number) {
  const waits = await findArrivals(appender, noted, {
    ask: 'paced',
    environment: serviceEnvironment(stores),
    tenantId: signatory.tenantId,
    perSecond: PACED_PER_SECOND,
    count,
  })
  return percentile(waits, 0.99)
}
