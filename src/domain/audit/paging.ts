import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
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
  /** At most so many violations. */
  limit: number
  /** What was written before is checked already; everything is to be checked without it. */
  since?: Date | undefined
  signal?: AbortSignal | undefined
  /** Whether the time of the check is used up. */
  isLate(): boolean
  /** Called after each page with the time that it took, and waited for. */
  rest?: ((pageMs: number) => Promise<void>) | undefined
}

export type ScanResult = {
  violations: Violation[]
  /** How many subjects were checked. */
  subjects: number
  /** Everything written before holds: a later run may begin there. */
  until?: Date | undefined
  /** It has not come to its end. */
  timedOut: boolean
}

/** A transaction commits at most so long after its begin, by which its rows are marked. */
const COMMITTED_WITHIN_MS = 10 * MINUTE_MS

/** Keys read at once, in memory while their pages are checked. */
const KEYS_AT_ONCE = 50_000

/** The pages after one that took so long are half its size. */
const LONG_PAGE_MS = 5 * SECOND_MS

const QUERY_CANCELED = '57014'

const isTimeout = (error: unknown) => sqlState(error) === QUERY_CANCELED

/** One scan with what it has found so far. */
type Run = ScanContext & {
  scan: Scan
  result: ScanResult
  /** Subjects of the next page: fewer once one has taken long. */
  size: number
}

/** Goes through what was written since the last run, or through everything, a page at a time. */
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

/** All rows of each source that has an order; since an instant, only those that matter always. */
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

/** Sources may name one subject several times, next to each other. */
function distinct(keys: Keys): Keys {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}

const isFull = ({ limit, result }: Run) => result.violations.length >= limit

/**
 * Goes through time, an hour at once, or more where little was written. `until` follows as long as
 * nothing is violated; from then on it stays, and later runs begin there until all holds.
 */
async function scanTouched(run: Run, since: Date): Promise<void> {
  const { read, scan, result } = run
  if (!scan.subjects.sources.some(({ mark }) => mark !== undefined)) return
  const end = await read(selectNow)
  // Later rows may belong to transactions that have yet to commit: the next run reads these again.
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
      // The key that comes next was not checked: what was written before it was.
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

/** Undefined where a shorter span must be read. */
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

/** Checks keys a page at a time; `onPage` learns how many hold, from the first on. */
async function checkInPages(
  run: Run,
  keys: Keys,
  onPage: (checked: number) => void = () => undefined,
): Promise<void> {
  const { result, isLate, rest } = run
  for (let checked = 0; checked < keys.length; ) {
    // Every run gets some way.
    if (result.subjects > 0 && isLate()) throw new OutOfTime()
    const page = keys.slice(checked, checked + run.size)
    const startedAt = performance.now()
    result.violations.push(...(await checkPage(run, page)))
    const pageMs = performance.now() - startedAt
    if (pageMs > LONG_PAGE_MS) run.size = Math.ceil(page.length / 2)
    checked += page.length
    result.subjects += page.length
    if (result.violations.length === 0) onPage(checked)
    if (isFull(run)) return
    await rest?.(pageMs)
  }
}

/** A page that takes too long is checked in halves, down to a single subject. */
async function checkPage(run: Run, keys: Keys): Promise<Violation[]> {
  const { scan, result, read, terms, signal } = run
  signal?.throwIfAborted()
  try {
    return await read(async (tx) => {
      await preferIndexes(tx)
      return await scan.find(tx, keys, terms, run.limit - result.violations.length)
    })
  } catch (error) {
    if (signal?.aborted || keys.length === 1 || !isTimeout(error)) throw error
    const half = Math.ceil(keys.length / 2)
    const first = await checkPage(run, keys.slice(0, half))
    return [...first, ...(await checkPage(run, keys.slice(half)))]
  }
}
