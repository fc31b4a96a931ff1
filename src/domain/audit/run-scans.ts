import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { Scan } from './check.ts'
import {
  checkInPages,
  type Group,
  isTimeout,
  type Pace,
  type Run,
  type ScanContext,
  type ScanResult,
  underWay,
} from './pages.ts'
import {
  type Keys,
  type Place,
  preferIndexes,
  selectAll,
  selectTouched,
  type Touched,
} from './subject-queries.ts'

const UNPACED: Pace = { firstPage: 50, pageMs: SECOND_MS }

/** Rows are marked at the start of a transaction, which commits within this time. */
const COMMITTED_WITHIN_MS = 10 * MINUTE_MS

/** In memory while their pages are checked. */
const KEYS_AT_ONCE = 50_000

/** Of scans whose subjects come from the same sources: each list of them is read once for all. */
export async function runScans(
  scans: readonly Scan[],
  context: ScanContext,
): Promise<Map<Scan, ScanResult>> {
  const { pace = UNPACED, budgets } = context
  const runs = scans.map((scan): Run => {
    const result = { violations: [], subjects: 0, timedOut: false }
    const budget = budgets?.get(scan) ?? { leftMs: Number.POSITIVE_INFINITY }
    return { scan, result, budget, size: pace.firstPage, isOver: false }
  })
  const group = { ...context, pace, sources: scans[0]?.subjects.sources ?? [], runs }
  try {
    if (context.period) await scanTouched(group, context.period)
    await scanSources(group)
  } catch (error) {
    if (context.signal?.aborted || !isTimeout(error)) throw error
    for (const run of underWay(group)) run.result.timedOut = true
  }
  return new Map(runs.map(({ scan, result }) => [scan, result]))
}

/** Every source with an index order; of a period, only rows that always matter. */
async function scanSources(group: Group): Promise<void> {
  const { read, period, pace } = group
  const sources = group.sources.filter(
    ({ order, where }) => order && (period === undefined || where !== undefined),
  )
  for (const source of sources) {
    let after: string[] | undefined
    while (underWay(group).length > 0) {
      const rows = await read(async (tx) => {
        await preferIndexes(tx)
        return await selectAll(tx, source, { after, limit: KEYS_AT_ONCE, rest: pace.rest })
      })
      await checkInPages(group, distinct(rows.map(({ subject }) => subject)))
      after = rows.at(-1)?.place
      if (rows.length < KEYS_AT_ONCE) break
    }
  }
}

/** A source may name a subject several times in a row. */
function distinct(keys: Keys): Keys {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}

type Reach = (run: Run, at: Date) => void

/** An hour at a time, or more where little was written. `until` stops at the first violation:
 * later runs start there until all holds. */
async function scanTouched(
  group: Group,
  { since, end }: { since: Date; end: Date },
): Promise<void> {
  if (!group.sources.some(({ mark }) => mark !== undefined)) return
  // Later rows may belong to open transactions: the next run reads them again.
  const settled = addMs(end, -COMMITTED_WITHIN_MS)
  const reach: Reach = ({ result }, at) => {
    const until = new Date(Math.min(at.getTime(), settled.getTime()))
    if (result.violations.length === 0 && until > since) result.until = until
  }
  let spanMs = HOUR_MS
  for (let from = since; from < end && underWay(group).length > 0; ) {
    const to = new Date(Math.min(from.getTime() + spanMs, end.getTime()))
    const found = await scanSpan(group, { from, to }, reach)
    if (found === 'too much') {
      spanMs = (to.getTime() - from.getTime()) / 2
      continue
    }
    for (const run of underWay(group)) reach(run, to)
    spanMs = found === 'nothing' ? spanMs * 2 : HOUR_MS
    from = to
  }
}

type Span = { from: Date; to: Date }

async function scanSpan(
  group: Group,
  span: Span,
  reach: Reach,
): Promise<'nothing' | 'something' | 'too much'> {
  let after: Place | undefined
  for (;;) {
    const keys = await listSpan(group, { ...span, after })
    if (keys === undefined) return 'too much'
    const onPage = (run: Run, checked: number) => {
      // The next key was not checked, but what was written before it was.
      const reached = keys[checked]?.at
      if (reached) reach(run, reached)
    }
    await checkInPages(
      group,
      keys.map(({ key }) => key),
      onPage,
    )
    const isEmpty = keys.length === 0 && after === undefined
    after = keys.at(-1)
    if (keys.length < KEYS_AT_ONCE || underWay(group).length === 0) {
      return isEmpty ? 'nothing' : 'something'
    }
  }
}

/** Undefined: read a shorter span. */
async function listSpan(
  { sources, runs, read, signal, pace }: Group,
  span: Span & { after: Place | undefined },
): Promise<Touched[] | undefined> {
  signal?.throwIfAborted()
  const key = runs[0]?.scan.subjects.key ?? []
  try {
    const part = { after: span.after, limit: KEYS_AT_ONCE, rest: pace.rest }
    return await read((tx) => selectTouched(tx, { key, sources }, span, part))
  } catch (error) {
    const isShort = span.to.getTime() - span.from.getTime() < MINUTE_MS
    if (signal?.aborted || isShort || !isTimeout(error)) throw error
    return undefined
  }
}
