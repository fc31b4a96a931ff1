import type { ReactNode } from 'react'
import type { Pages } from '../../pages/data/lists.ts'
import { FilterBar } from '../../pages/parts/filters.tsx'
import { Empty, Page, Panel } from '../../pages/parts/page.tsx'
import { type Column, PagedTable } from '../../pages/parts/table.tsx'

type DeskListProps<Row> = {
  title: string
  about: string
  actions?: ReactNode
  /** Links to the pages of its section. */
  tabs?: ReactNode
  filters?: ReactNode
  /** How the list is ordered. */
  order: string
  /** For screen readers. */
  label: string
  pages: Pages<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** Without rows: a title, and what brings one here. */
  empty: readonly [title: string, hint: ReactNode]
  /** Below the list. */
  children?: ReactNode
}

/** A page that is one list. */
export function DeskList<Row>(props: DeskListProps<Row>) {
  const { title, about, actions, tabs, filters, order, empty, children, ...table } = props
  return (
    <Page title={title} about={about} actions={actions}>
      {tabs}
      {filters && <FilterBar>{filters}</FilterBar>}
      <Panel title={order} flush>
        <PagedTable {...table} empty={<Empty title={empty[0]}>{empty[1]}</Empty>} />
      </Panel>
      {children}
    </Page>
  )
}
