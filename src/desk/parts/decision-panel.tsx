import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Page, usePages } from '../../pages/data/lists.ts'
import { queryClient } from '../../pages/data/query-client.ts'
import { PagedPanel } from '../../pages/parts/panels.tsx'
import type { Column } from '../../pages/parts/table.tsx'
import { useCan } from '../../pages/sign-in/session.ts'
import { ReasonDialog } from './reason-dialog.tsx'

type Words = {
  /** The button, as a verb. */
  act: string
  title: string
  about: string
  /** The dialog also asks for the destination of the money. */
  asksDestination?: boolean
}

export type Given = { reason: string; destination: string }

type DecisionPanelProps<Row, Decision extends string> = {
  title: string
  /** For screen readers. */
  label: string
  queryKey: readonly unknown[]
  read: (from: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
  columns: readonly Column<Row>[]
  /** Names the row and its buttons. */
  idOf: (row: Row) => string
  empty: readonly [title: string, hint: string]
  /** The act whose role may decide. */
  may: string
  decisions: Readonly<Record<Decision, Words>>
  /** Those of a row; by default all. A text stands where there is none. */
  decisionsOn?: (row: Row) => readonly Decision[] | string
  decide: (decision: Decision, row: Row, given: Given) => Promise<unknown>
}

/** A list whose rows wait for an operator, with what may be decided on each. */
export function DecisionPanel<Row, Decision extends string>({
  title,
  label,
  queryKey,
  read,
  columns,
  idOf,
  empty,
  may,
  decisions,
  decisionsOn = () => Object.keys(decisions) as Decision[],
  decide,
}: DecisionPanelProps<Row, Decision>) {
  const [deciding, setDeciding] = useState<{ row: Row; decision: Decision }>()
  const mayDecide = useCan(may)
  const pages = usePages<Row>({ key: queryKey, read })
  const button = (row: Row, decision: Decision): ReactNode => (
    <Button
      key={decision}
      size="xs"
      variant="default"
      aria-label={`${decisions[decision].act}: ${idOf(row)}`}
      onClick={() => setDeciding({ row, decision })}
    >
      {decisions[decision].act}
    </Button>
  )
  const acts: Column<Row> = {
    head: 'Act',
    short: true,
    align: 'right',
    cell: (row) => {
      const found = decisionsOn(row)
      if (typeof found === 'string') return <span className="quiet">{found}</span>
      return (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          {found.map((decision) => button(row, decision))}
        </Group>
      )
    },
  }
  const shown = deciding && decisions[deciding.decision]
  return (
    <>
      <PagedPanel
        title={title}
        label={label}
        pages={pages}
        columns={mayDecide ? [...columns, acts] : columns}
        rowKey={idOf}
        empty={[empty[0], empty[1]]}
      />
      <ReasonDialog
        title={shown?.title ?? ''}
        act={shown?.act ?? ''}
        isOpen={deciding !== undefined}
        onClose={() => setDeciding(undefined)}
        asksDestination={shown?.asksDestination ?? false}
        run={async (reason, destination) => {
          if (!deciding) return undefined
          const outcome = await decide(deciding.decision, deciding.row, { reason, destination })
          await queryClient.invalidateQueries({ queryKey })
          return outcome
        }}
      >
        {shown?.about}
      </ReasonDialog>
    </>
  )
}
