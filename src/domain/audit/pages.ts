import type { Tx } from '../../db/database.ts'
import { sqlState } from '../../db/errors.ts'
import type { Read, Scan, Terms, Violation } from './check.ts'
import { type Keys, preferIndexes } from './subject-queries.ts'

/** How much an audit takes at once, of the database and of the process that runs it. */
export type Pace = {
  /** Subjects of a scan's first page. */
  firstPage: number
  /** Pages become as large as can be checked in about this time. */
  pageMs: number
  /** Awaited after each page, and after each part of a list. */
  rest?: (readMs: number) => Promise<void>
}

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

/** One scan of a run. */
export type Run = {
  scan: Scan
  result: ScanResult
  budget: Budget
  size: number
  /** Nothing more is checked: for want of time, or because enough was found. */
  isOver: boolean
}

/** Scans whose subjects come from the same sources. */
export type Group = ScanContext & {
  pace: Pace
  sources: Scan['subjects']['sources']
  runs: readonly Run[]
}

export const underWay = ({ runs }: Group) => runs.filter(({ isOver }) => !isOver)

const LARGEST_PAGE = 5_000

const QUERY_CANCELED = '57014'

export const isTimeout = (error: unknown) => sqlState(error) === QUERY_CANCELED

/** Receives how many keys hold so far. */
type OnPage = (run: Run, checked: number) => void

export async function checkInPages(
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
