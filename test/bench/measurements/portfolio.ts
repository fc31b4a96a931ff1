import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { createBorrower } from '../../../src/domain/onboarding/borrowers.ts'
import { readPortfolio } from '../../support/lending/read-portfolio.ts'
import { insistedOn, ratioAtLeast } from '../aims.ts'
import { startService } from '../companions/processes.ts'
import { createSender } from '../companions/signed-sender.ts'
import type { Signatory } from '../data/seed.ts'
import { openCleanup } from '../open-cleanup.ts'
import { percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'
import type { RequestBench } from './requests.ts'

const POSITIONS = [
  { asset: 'BTC', quantity: '1.5' },
  { asset: 'ETH', quantity: '20.25' },
  { asset: 'USDC', quantity: '2500' },
]

/** `{now}` becomes an instant later than that of the request before. */
const SNAPSHOT = JSON.stringify({ as_of: '{now}', positions: POSITIONS })

const targetOf = (borrowerId: string) => `/v1/borrowers/${borrowerId}/portfolio`

/** Signed pushes, each newer than the last, of 64 borrowers in turn: all are stored. */
export async function measurePortfolio(
  bench: RequestBench,
  db: Db,
  signatory: Signatory,
  { pushes }: { pushes: number },
): Promise<Row[]> {
  const borrowers = await addBorrowers(db, signatory.tenantId, 64)
  return await bench.measure('(g) signed PUT portfolio', ratioAtLeast(0.9), {
    method: 'PUT',
    targets: borrowers.map(targetOf),
    body: SNAPSHOT,
    requests: pushes,
  })
}

const PER_SECOND = 250
const BURST = 500

const EPOCH = Date.parse('2026-01-01T00:00:00Z')

type Answer = { borrowerId: string; n: number; kind: string; ms: number }

/**
 * Five times the limit of the class on 50 borrowers, after its burst is used up. Throws unless each
 * answer is one of the three there are, and the newest snapshot of each borrower is stored.
 */
export async function measureFlood(
  db: Db,
  stores: Stores,
  signatory: Signatory,
  { seconds }: { seconds: number },
): Promise<Row[]> {
  await using cleanup = openCleanup()
  const { port } = await startService('server', stores, cleanup, { RATE_LIMITS: '' })
  const send = await createSender(port, signatory, cleanup)
  const borrowers = await addBorrowers(db, signatory.tenantId, 50)
  const push = async (n: number): Promise<Answer> => {
    const borrowerId = borrowers[n % borrowers.length] ?? ''
    const as_of = new Date(EPOCH + n).toISOString()
    const { status, body, ms } = await send('PUT', targetOf(borrowerId), {
      as_of,
      positions: POSITIONS,
    })
    return { borrowerId, n, kind: kindOf(status, body), ms }
  }
  await Promise.all(Array.from({ length: BURST }, (_, n) => push(n)))

  const sent: Promise<Answer>[] = []
  const startedAt = performance.now()
  while (sent.length < seconds * PER_SECOND) {
    const due = Math.min(
      seconds * PER_SECOND,
      ((performance.now() - startedAt) * PER_SECOND) / 1_000,
    )
    while (sent.length < due) sent.push(push(BURST + sent.length))
    await pause(2)
  }
  const answers = await Promise.all(sent)
  const tookSeconds = (performance.now() - startedAt) / 1_000
  await assertNewestStored(db, signatory.tenantId, answers)
  const count = (kind: string) => answers.filter((answer) => answer.kind === kind).length
  const waits = answers.map(({ ms }) => ms)
  return [
    {
      name: `(g) ${PER_SECOND}/s on 50 borrowers: ${count('applied')} applied, ${count('superseded')} superseded, ${count('refused')} refused`,
      unit: 'answers/s',
      ours: answers.length / tookSeconds,
      p50Ms: { ours: percentile(waits, 0.5) },
      p99Ms: { ours: percentile(waits, 0.99) },
      aim: insistedOn('the newest of each stored'),
    },
  ]
}

async function addBorrowers(db: Db, tenantId: string, count: number): Promise<string[]> {
  const now = new Date()
  const borrower = {
    type: 'individual',
    kycAttested: true,
    residencyCountry: 'DE',
    residencyState: undefined,
  } as const
  return await inTransaction(db, async (tx) => {
    const ids: string[] = []
    while (ids.length < count) {
      ids.push((await createBorrower(tx, tenantId, borrower, { now, realNow: now })).id)
    }
    return ids
  })
}

function kindOf(status: number, text: string): string {
  if (status === 429) return 'refused'
  const { applied } = JSON.parse(text)
  if (status === 200 && typeof applied === 'boolean') return applied ? 'applied' : 'superseded'
  throw new Error(`a push was answered ${status} ${text}`)
}

/** The newest that was not refused is there, whatever came in between. */
async function assertNewestStored(
  db: Db,
  tenantId: string,
  answers: readonly Answer[],
): Promise<void> {
  const accepted = answers.filter(({ kind }) => kind !== 'refused')
  const byBorrower = Map.groupBy(accepted, ({ borrowerId }) => borrowerId)
  for (const [borrowerId, pushes] of byBorrower) {
    const newest = Math.max(...pushes.map(({ n }) => n))
    const stored = await readPortfolio(db, tenantId, borrowerId)
    const storedN = Number((stored?.asOfMicros ?? 0n) / 1_000n) - EPOCH
    if (storedN !== newest) throw new Error(`${borrowerId} has ${storedN}, not ${newest}`)
  }
}
