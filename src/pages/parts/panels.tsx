import type { ReactNode } from 'react'
import { Panel } from './page.tsx'
import { PagedTable, type PagedTableProps, ReadTable, type ReadTableProps } from './table.tsx'

type PanelProps = {
  title: string
  actions?: ReactNode
  /** Below the table. */
  children?: ReactNode
}

/** A panel that is one table, read as a whole. */
export function TablePanel<Row>(props: PanelProps & ReadTableProps<Row>) {
  const { title, actions, children, ...table } = props
  return (
    <Panel title={title} actions={actions} flush>
      <ReadTable {...table} />
      {children}
    </Panel>
  )
}

/** A panel that is one list by cursor pages. */
export function PagedPanel<Row>(props: PanelProps & PagedTableProps<Row>) {
  const { title, actions, children, ...table } = props
  return (
    <Panel title={title} actions={actions} flush>
      <PagedTable {...table} />
      {children}
    </Panel>
  )
}
