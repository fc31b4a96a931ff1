import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import { sqlState } from '../../db/errors.ts'
import type { Read, Scan, Terms, Violation } from './check.ts'
import {
  type Keys,
  type Place,
  preferIndexes,
  selectAll,
  selectTouched,
  type Touched,
} from './subject-queries.ts'

/** How much an audit takes at once, of the database and of the process that runs it. */
export type Pace = {
  /** Subjects of a scan's first page. */
  firstPage: number
  /** Pages become as large as can be checked in about this time. */
  pageMs: number
  /** Awaited after each page, and after each part of a list. */
  rest?: (readMs: number) => Promise<void>
}

const UNPACED: Pace = { firstPage: 50, pageMs: SECOND_MS }

/** What the scans that share it may still take, rests included. */
export type Budget = { leftMs: number }

export type ScanContext = {
  read: Read
  terms: Terms
  limit: number
  /** What was written in it; undefined: everything. */
  period?: { since: Date; end: Date } | undefined
  signal?: AbortSignal | undefined
  /** Default: no limit. */
  budgets?: ReadonlyMap<Scan, Budget>
  /** A page is then checked tenant by tenant. */
  distributed?: boolean | undefined
  /** Default: as fast as it can. */
  pace?: Pace | undefined
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

const LARGEST_PAGE = 5_000

const QUERY_CANCELED = '57014'

const isTimeout = (error: unknown) => sqlState(error) === QUERY_CANCELED

type Run = {
  scan: Scan
  result: ScanResult
  budget: Budget
  size: number
  /** Nothing more is checked: for want of time, or because enough was found. */
  isOver: boolean
}

type Group = ScanContext & {
  pace: Pace
  sources: Scan['subjects']['sources']
  runs: readonly Run[]
}

const underWay = ({ runs }: Group) => runs.filter(({ isOver }) => !isOver)

/** Of scans whose subjects come from the same sources: each list of them is read once for all. */
export async function runScans(
  scans: readonly Scan[],
  context: ScanContext,
): Promise<ScanResult[]> {
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
  return runs.map(({ result }) => result)
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

/** `onPage` receives how many keys hold so far. */
type OnPage = (run: Run, checked: number) => void

async function checkInPages(
  group: Group,
  keys: Keys,
  onPage: OnPage = () => undefined,
): Promise<void> {
  for (const run of underWay(group)) {
    try {
      await checkKeys(group, run, keys, onPage)
    } catch (error) {
      if (group.signal?.aborted || !isTimeout(error)) throw error
      run.result.timedOut = run.isOver = true
    }
  }
}

async function checkKeys(group: Group, run: Run, keys: Keys, onPage: OnPage): Promise<void> {
  const { limit, pace } = group
  const { result, budget } = run
  for (let checked = 0; checked < keys.length; ) {
    // Every run makes some progress.
    if (result.subjects > 0 && budget.leftMs <= 0) {
      result.timedOut = run.isOver = true
      return
    }
    const page = keys.slice(checked, checked + run.size)
    const startedAt = performance.now()
    result.violations.push(...(await checkPage(group, run, page)))
    const pageMs = performance.now() - startedAt
    run.size = nextSize(run.size, page.length, pageMs / pace.pageMs)
    checked += page.length
    result.subjects += page.length
    if (result.violations.length === 0) onPage(run, checked)
    run.isOver = result.violations.length >= limit
    if (run.isOver) return
    await pace.rest?.(pageMs)
    budget.leftMs -= performance.now() - startedAt
  }
}

/** Twice or half the size after a page that took far less, or far more, than it is to take. */
function nextSize(size: number, checked: number, taken: number): number {
  if (taken > 2) return Math.ceil(checked / 2)
  return taken < 1 / 2 ? Math.min(size * 2, Math.max(size, LARGEST_PAGE)) : size
}

/** Halves a page that takes too long, down to one subject. */
async function checkPage(group: Group, run: Run, keys: Keys): Promise<Violation[]> {
  const { read, signal, terms, distributed, limit } = group
  signal?.throwIfAborted()
  try {
    return await read(async (tx) => {
      await preferIndexes(tx)
      const left = limit - run.result.violations.length
      return await findOnPage({ scan: run.scan, terms, distributed, limit: left }, tx, keys)
    })
  } catch (error) {
    if (signal?.aborted || keys.length === 1 || !isTimeout(error)) throw error
    const half = Math.ceil(keys.length / 2)
    const first = await checkPage(group, run, keys.slice(0, half))
    return [...first, ...(await checkPage(group, run, keys.slice(half)))]
  }
}

export async function findOnPage(
  {
    scan,
    terms,
    limit,
    distributed,
  }: Pick<ScanContext, 'terms' | 'limit' | 'distributed'> & {
    scan: Scan
  },
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
