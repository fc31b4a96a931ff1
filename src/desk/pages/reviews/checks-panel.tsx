import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Status, type Tone } from '../../../pages/parts/values.tsx'
import type { BorrowerFile, Revealed } from './borrower-page.tsx'
import { nameCheck } from './check-names.ts'
import { Masked } from './masked.tsx'

type Check = BorrowerFile['checks'][number]

const STATES: Record<Check['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'calm', label: 'With the provider' },
  review: { tone: 'warn', label: 'Waits for a decision' },
  passed: { tone: 'good', label: 'Passed' },
  failed: { tone: 'bad', label: 'Failed' },
}

/** A decided check is shown without its person. */
type OfWaitingProps = { check: Check; children: string | null | undefined }

function OfWaiting({ check, children }: OfWaitingProps) {
  if (check.status !== 'review') return <span className="quiet">–</span>
  return <Masked>{children}</Masked>
}

type ChecksPanelProps = { file: BorrowerFile; revealed: Revealed | undefined }

export function ChecksPanel({ file, revealed }: ChecksPanelProps) {
  const noteOf = (check: Check) =>
    revealed?.items.find(({ check_id }) => check_id === check.check_id)
  const columns: readonly Column<Check>[] = [
    { head: 'Check', cell: ({ kind }) => nameCheck(kind) },
    {
      head: 'State',
      short: true,
      cell: ({ status }) => <Status tone={STATES[status].tone}>{STATES[status].label}</Status>,
    },
    {
      head: 'Of',
      cell: (check) => <OfWaiting check={check}>{revealed && noteOf(check)?.full_name}</OfWaiting>,
    },
    {
      head: 'Note',
      keep: 'low',
      cell: (check) => (
        <OfWaiting check={check}>{revealed && (noteOf(check)?.note ?? 'none')}</OfWaiting>
      ),
    },
    timeColumn('Asked', ({ created_at }) => created_at, 'low'),
  ]
  return (
    <TablePanel
      title="Checks"
      label="Checks, one a row"
      columns={columns}
      rowKey={({ check_id }) => check_id}
      rows={file.checks}
      empty={['No checks yet.', 'They begin with the first signature.']}
    />
  )
}
