import { Button } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Pages } from '../data/lists.ts'
import { Empty, Loading, ProblemAlert } from './page.tsx'
import classes from './parts.module.css'
import { Money, Time } from './values.tsx'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Right for money and figures. */
  align?: 'right'
  /** As narrow as its content. */
  short?: boolean
  /** May break anywhere, for paths. */
  breaks?: boolean
  /** Left out on narrow screens: low below 640 px, lowest below 1480 px. */
  keep?: 'low' | 'lowest'
}

/** A moment in UTC, as narrow as it is. */
export function timeColumn<Row>(
  head: string,
  at: (row: Row) => string | null | undefined,
  keep?: Column<Row>['keep'],
): Column<Row> {
  const cell = (row: Row) => <Time at={at(row)} brief />
  return { head: `${head} (UTC)`, short: true, cell, ...(keep && { keep }) }
}

/** An amount in USD, unless it names its asset. */
export function moneyColumn<Row>(
  head: string,
  read: (row: Row) => string | { amount: string; asset: string },
  keep?: Column<Row>['keep'],
): Column<Row> {
  const cell = (row: Row) => {
    const money = read(row)
    return typeof money === 'string' ? <Money amount={money} /> : <Money {...money} />
  }
  return { head, align: 'right', cell, ...(keep && { keep }) }
}

type TableProps<Row> = {
  /** For screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

const ROW_PX = 41
const ROWS_DRAWN_AT_ONCE = 120

export function DataTable<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above may have changed with them.
  useEffect(() => {
    setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [rows.length])
  const isLong = rows.length > ROWS_DRAWN_AT_ONCE
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 20,
    scrollMargin: top,
    enabled: isLong,
  })
  const drawn = isLong ? virtual.getVirtualItems().map(({ index }) => index) : [...rows.keys()]
  const before = isLong ? (virtual.getVirtualItems()[0]?.start ?? top) - top : 0
  const after = isLong
    ? virtual.getTotalSize() - ((virtual.getVirtualItems().at(-1)?.end ?? top) - top)
    : 0
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys.
    <section className={classes.tableBox} aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" className={cellClass(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap height={before} />
          {drawn.map((at) => {
            const row = rows[at]
            return (
              row !== undefined && (
                <tr key={rowKey(row)} className={classes.row} aria-rowindex={at + 2}>
                  {columns.map((column) => (
                    <td key={column.head} className={cellClass(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              )
            )
          })}
          <Gap height={after} />
        </tbody>
      </table>
    </section>
  )
}

function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td colSpan={99} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

function cellClass<Row>({ align, short, breaks, keep }: Column<Row>): string {
  return [
    align && classes[align],
    short && classes.short,
    breaks && classes.breaks,
    keep && classes[keep],
  ]
    .filter(Boolean)
    .join(' ')
}

/** In place of a list without rows: a title, what to do next, and a link or button for it. */
export type EmptyWords = readonly [title: string, hint: ReactNode, action?: ReactNode]

function EmptyTable({ words }: { words: EmptyWords | undefined }) {
  if (!words) return null
  const [title, hint, action] = words
  return (
    <Empty title={title} action={action}>
      {hint}
    </Empty>
  )
}

export type ReadTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  /** Undefined until they are read. */
  rows: readonly Row[] | undefined
  error?: unknown
  empty?: EmptyWords
}

/** A list that is read as a whole. */
export function ReadTable<Row>({ rows, error, empty, ...table }: ReadTableProps<Row>) {
  return (
    <>
      <ProblemAlert error={error} />
      {!rows && !error && <Loading />}
      {rows?.length === 0 && <EmptyTable words={empty} />}
      {rows && (rows.length > 0 || !empty) && <DataTable {...table} rows={rows} />}
    </>
  )
}

export type PagedTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  pages: Pages<Row>
  empty?: EmptyWords
  /** The first page alone. */
  isBrief?: boolean
  /** Beside the count, once every row is read. */
  total?: (rows: readonly Row[]) => ReactNode
}

/** A list by cursor pages: reads on as its end comes into view. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { pages, empty, isBrief = false, total, ...table } = props
  const { rows, error, isPending, isMore, isReading, isReadingMore, readMore } = pages
  if (isPending) return <Loading />
  if (rows.length === 0 && !isMore) {
    return error ? <ProblemAlert error={error} /> : <EmptyTable words={empty} />
  }
  return (
    <>
      <ProblemAlert error={error} />
      <DataTable {...table} rows={rows} />
      {!isBrief && (
        <div className={classes.foot}>
          <span className="figures">
            {rows.length.toLocaleString('en')}
            {isMore ? '+' : ''} {rows.length === 1 ? 'row' : 'rows'}
            {!isMore && total?.(rows)}
          </span>
          {isMore && (
            <WhenSeen onSeen={readMore} isBusy={isReading} count={rows.length}>
              <Button size="xs" variant="default" loading={isReadingMore} onClick={readMore}>
                Show more
              </Button>
            </WhenSeen>
          )}
        </div>
      )}
    </>
  )
}

type WhenSeenProps = {
  onSeen: () => void
  isBusy: boolean
  /** Grows by what was done, which may be done before it was seen to be busy. */
  count: number
  children: ReactNode
}

/** Again each time that the work is done and the end is still in view. */
function WhenSeen({ onSeen, isBusy, count, children }: WhenSeenProps) {
  const box = useRef<HTMLSpanElement>(null)
  const act = useRef(onSeen)
  act.current = onSeen
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    // It may report several crossings at once, the latest at the end.
    const follow = (crossings: readonly IntersectionObserverEntry[]) =>
      setSeen(crossings.at(-1)?.isIntersecting ?? false)
    const observer = new IntersectionObserver(follow, { rootMargin: '400px' })
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each growth asks again.
  useEffect(() => {
    // A short list is not read to the log's end before anyone has scrolled.
    if (isSeen && !isBusy && window.scrollY > 0) act.current()
  }, [isSeen, isBusy, count])
  return <span ref={box}>{children}</span>
}
