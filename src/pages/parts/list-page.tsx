import type { ReactNode } from 'react'
import { FilterBar } from './filters.tsx'
import { Page } from './page.tsx'
import { PagedPanel } from './panels.tsx'
import type { PagedTableProps } from './table.tsx'

type ListPageProps<Row> = PagedTableProps<Row> & {
  title: string
  about?: ReactNode
  crumbs?: ReactNode
  actions?: ReactNode
  /** Links to the pages of its section. */
  tabs?: ReactNode
  filters?: ReactNode
  /** The title of the list: how it is ordered. */
  order: string
  /** Beside the title of the list. */
  listActions?: ReactNode
  /** Below the list. */
  children?: ReactNode
}

/** A page that is one list. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, about, crumbs, actions, tabs, filters, order, listActions, ...list } = props
  const { children, ...table } = list
  return (
    <Page title={title} about={about} crumbs={crumbs} actions={actions}>
      {tabs}
      {filters && <FilterBar>{filters}</FilterBar>}
      <PagedPanel title={order} actions={listActions} {...table} />
      {children}
    </Page>
  )
}
