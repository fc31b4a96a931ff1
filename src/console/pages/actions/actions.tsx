import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Page } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Id, ResourceId } from '../../../pages/parts/values.tsx'
import { type Action, consoleApi } from '../../data/console-api.ts'

const COLUMNS: readonly Column<Action>[] = [
  {
    head: 'Who',
    cell: ({ person, key_id }) => {
      if (person) return <span title={person.email}>{person.name}</span>
      return key_id ? <ResourceId value={key_id} /> : 'The operator'
    },
  },
  { head: 'Did', cell: ({ action }) => toWords(action) },
  {
    head: 'With',
    keep: 'low',
    cell: ({ subject_id }) =>
      subject_id ? <ResourceId value={subject_id} /> : <span className="quiet">–</span>,
  },
  {
    head: 'Request id',
    short: true,
    keep: 'lowest',
    cell: ({ request_id }) =>
      request_id ? <Id value={request_id} /> : <span className="quiet">–</span>,
  },
  timeColumn('At', ({ at }) => at),
]

/** registerWebhook: Register webhook. */
function toWords(action: string): string {
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function ActionsPage() {
  const pages = usePages<Action>({
    key: live('actions'),
    read: (from, signal) => consoleApi.listActions({ from, limit: 100 }, signal),
  })
  return (
    <Page
      title="Actions"
      about="Who did what in this console, and which keys were shown a secret again. Kept for good."
    >
      <PagedPanel
        title="Newest first"
        label="Actions, one a row"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={['Nothing yet', 'Signing in, making a key and every change appear here.']}
      />
    </Page>
  )
}
