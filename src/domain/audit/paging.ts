import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import { sqlState } from '../../db/errors.ts'
import type { Read, Scan, Terms, Violation } from './check.ts'
import {
  type Keys,
  type Place,
  preferIndexes,
  selectAll,
  selectNow,
  selectTouched,
  type Touched,
} from './subject-queries.ts'

export type ScanContext = {
  read: Read
  terms: Terms
  limit: number
  /** Undefined: check everything. */
  since?: Date | undefined
  signal?: AbortSignal | undefined
  isLate(): boolean
  /** A page is then checked tenant by tenant. */
  distributed?: boolean
  /** Awaited after each page. */
  rest?: ((pageMs: number) => Promise<void>) | undefined
}

export type ScanResult = {
  violations: Violation[]
  subjects: number
  /** Everything written before holds, so a later run may start there. */
  until?: Date | undefined
  timedOut: boolean
}

/** Rows are marked at the start of a transaction, which commits within this time. */
const COMMITTED_WITHIN_MS = 10 * MINUTE_MS

/** In memory while their pages are checked. */
const KEYS_AT_ONCE = 50_000

/** After a page this slow, pages are half the size. */
const LONG_PAGE_MS = 5 * SECOND_MS

/** After a page this quick, pages are twice the size: planning costs as much as a small page. */
const SHORT_PAGE_MS = SECOND_MS / 2

const LARGEST_PAGE = 5_000

const QUERY_CANCELED = '57014'

const isTimeout = (error: unknown) => sqlState(error) === QUERY_CANCELED

type Run = ScanContext & {
  scan: Scan
  result: ScanResult
  size: number
}

export async function runScan(scan: Scan, context: ScanContext): Promise<ScanResult> {
  const result: ScanResult = { violations: [], subjects: 0, timedOut: false }
  const run = { ...context, scan, result, size: scan.subjects.page }
  try {
    if (context.since) await scanTouched(run, context.since)
    await scanSources(run)
  } catch (error) {
    if (context.signal?.aborted || !(error instanceof OutOfTime || isTimeout(error))) throw error
    result.timedOut = true
  }
  return result
}

class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/** Every source with an index order; since an instant, only rows that always matter. */
async function scanSources(run: Run): Promise<void> {
  const { read, since, scan } = run
  const sources = scan.subjects.sources.filter(
    ({ order, where }) => order && (since === undefined || where !== undefined),
  )
  for (const source of sources) {
    let after: string[] | undefined
    for (;;) {
      const rows = await read(async (tx) => {
        await preferIndexes(tx)
        return await selectAll(tx, source, after, KEYS_AT_ONCE)
      })
      await checkInPages(run, distinct(rows.map(({ subject }) => subject)))
      after = rows.at(-1)?.place
      if (rows.length < KEYS_AT_ONCE || isFull(run)) break
    }
  }
}

/** A source may name a subject several times in a row. */
function distinct(keys: Keys): Keys {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}

const isFull = ({ limit, result }: Run) => result.violations.length >= limit

/** An hour at a time, or more where little was written. `until` stops at the first violation:
 * later runs start there until all holds. */
async function scanTouched(run: Run, since: Date): Promise<void> {
  const { read, scan, result } = run
  if (!scan.subjects.sources.some(({ mark }) => mark !== undefined)) return
  // A Date ends at the millisecond, a mark may lie within it.
  const end = addMs(await read(selectNow), 1)
  // Later rows may belong to open transactions: the next run reads them again.
  const settled = addMs(end, -COMMITTED_WITHIN_MS)
  const onReached = (at: Date) => {
    const until = at < settled ? at : settled
    if (until > since) result.until = until
  }
  let spanMs = HOUR_MS
  for (let from = since; from < end; ) {
    const to = new Date(Math.min(from.getTime() + spanMs, end.getTime()))
    const found = await scanSpan(run, { from, to, onReached })
    if (isFull(run)) return
    if (found === 'too much') {
      spanMs = (to.getTime() - from.getTime()) / 2
      continue
    }
    if (result.violations.length === 0) onReached(to)
    spanMs = found === 'nothing' ? spanMs * 2 : HOUR_MS
    from = to
  }
}

async function scanSpan(
  run: Run,
  span: { from: Date; to: Date; onReached: (at: Date) => void },
): Promise<'nothing' | 'something' | 'too much'> {
  let after: Place | undefined
  for (;;) {
    const keys = await listSpan(run, { ...span, after })
    if (keys === undefined) return 'too much'
    const onPage = (checked: number) => {
      // The next key was not checked, but what was written before it was.
      const reached = keys[checked]?.at
      if (reached) span.onReached(reached)
    }
    await checkInPages(
      run,
      keys.map(({ key }) => key),
      onPage,
    )
    const isEmpty = keys.length === 0 && after === undefined
    after = keys.at(-1)
    if (isFull(run) || keys.length < KEYS_AT_ONCE) return isEmpty ? 'nothing' : 'something'
  }
}

/** Undefined: read a shorter span. */
async function listSpan(
  { scan, read, signal }: Run,
  span: { from: Date; to: Date; after: Place | undefined },
): Promise<Touched[] | undefined> {
  signal?.throwIfAborted()
  try {
    return await read((tx) => selectTouched(tx, scan.subjects, span, KEYS_AT_ONCE))
  } catch (error) {
    const isShort = span.to.getTime() - span.from.getTime() < MINUTE_MS
    if (signal?.aborted || isShort || !isTimeout(error)) throw error
    return undefined
  }
}

/** `onPage` receives how many keys hold so far. */
async function checkInPages(
  run: Run,
  keys: Keys,
  onPage: (checked: number) => void = () => undefined,
): Promise<void> {
  const { result, isLate, rest } = run
  for (let checked = 0; checked < keys.length; ) {
    // Every run makes some progress.
    if (result.subjects > 0 && isLate()) throw new OutOfTime()
    const page = keys.slice(checked, checked + run.size)
    const startedAt = performance.now()
    result.violations.push(...(await checkPage(run, page)))
    const pageMs = performance.now() - startedAt
    run.size = nextSize(run.size, page.length, pageMs)
    checked += page.length
    result.subjects += page.length
    if (result.violations.length === 0) onPage(checked)
    if (isFull(run)) return
    await rest?.(pageMs)
  }
}

function nextSize(size: number, checked: number, pageMs: number): number {
  if (pageMs > LONG_PAGE_MS) return Math.ceil(checked / 2)
  return pageMs < SHORT_PAGE_MS ? Math.min(size * 2, Math.max(size, LARGEST_PAGE)) : size
}

/** Halves a page that takes too long, down to one subject. */
async function checkPage(run: Run, keys: Keys): Promise<Violation[]> {
  const { read, signal } = run
  signal?.throwIfAborted()
  try {
    return await read(async (tx) => {
      await preferIndexes(tx)
      return await findOnPage({ ...run, limit: run.limit - run.result.violations.length }, tx, keys)
    })
  } catch (error) {
    if (signal?.aborted || keys.length === 1 || !isTimeout(error)) throw error
    const half = Math.ceil(keys.length / 2)
    const first = await checkPage(run, keys.slice(0, half))
    return [...first, ...(await checkPage(run, keys.slice(half)))]
  }
}

export async function findOnPage(
  { scan, terms, limit, distributed }: Pick<Run, 'scan' | 'terms' | 'limit' | 'distributed'>,
  tx: Tx,
  keys: Keys,
): Promise<Violation[]> {
  const isOfTenants = scan.subjects.key[0]?.name === 'tenant_id'
  if (!distributed || !isOfTenants) return await scan.find(tx, keys, terms, limit)
  const found: Violation[] = []
  for (const [tenantId, own] of Map.groupBy(keys, ([first]) => first)) {
    found.push(...(await scan.find(tx, own, { ...terms, tenantId }, limit - found.length)))
    if (found.length >= limit) break
  }
  return found
}
