import { useQuery } from '@tanstack/react-query'
import { live } from '../../../console/data/live-keys.ts'
import { type Column, DataTable } from '../../../console/parts/lists/data-table.tsx'
import { Loading } from '../../../console/parts/loading.tsx'
import { ProblemAlert } from '../../../console/parts/notice.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { Time } from '../../../console/parts/time.tsx'
import { type Answer, call } from '../../data/operator-api.ts'
import { useSession } from '../../data/session.ts'

type Operator = Answer<'listOperators'>['items'][number]

export function OperatorsPage() {
  const { person: self } = useSession()
  const operators = useQuery({
    queryKey: live('operators'),
    queryFn: ({ signal }) => call('listOperators', { signal }),
  })
  const columns: readonly Column<Operator>[] = [
    { head: 'Name', cell: ({ id, name }) => (id === self.id ? `${name} (you)` : name) },
    { head: 'E-mail', keep: 'low', cell: ({ email }) => email },
    { head: 'Role', short: true, cell: ({ role }) => role },
    { head: 'Since (UTC)', short: true, cell: ({ created_at }) => <Time at={created_at} brief /> },
  ]
  return (
    <Page title="Operators" about="The lender's own people, and what their roles allow.">
      <Panel title="Operators" flush>
        <ProblemAlert error={operators.error} />
        {operators.isPending && <Loading />}
        {operators.data && (
          <DataTable
            label="Operators, one a row"
            columns={columns}
            rows={operators.data.items}
            rowKey={({ id }) => id}
          />
        )}
      </Panel>
    </Page>
  )
}
