import { ProblemError } from '../../../client/problem-error.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Notice } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Status } from '../../../pages/parts/values.tsx'
import { type Answer, call, list } from '../../data/operator-api.ts'
import { TenantLink, tenantColumn } from '../../parts/tenants.tsx'
import { ActButton } from '../administration/act-button.tsx'

type Closed = Answer<'listClosedMonths'>['items'][number]

const FOR_GOOD =
  'It and every month before it stay closed: what is known later is booked in an open month, with its own value date.'

const isClosed = ({ closed_month: closed }: Closed, month: string) =>
  closed !== null && closed >= month

const close = (tenantId: string, month: string, reason: string) =>
  call('closeMonth', { path: { tenant_id: tenantId }, body: { month, reason } })

type MonthsProps = { tenantId: string | undefined; month: string }

/** Shows the months that each tenant has closed, and closes a month with a reason. */
export function MonthsPanel({ tenantId, month }: MonthsProps) {
  const pages = usePages<Closed>({
    key: live('closed-months', tenantId),
    read: (from, signal) =>
      list('listClosedMonths', { tenant_id: tenantId, from, limit: 100 }, signal),
  })
  const columns: readonly Column<Closed>[] = [
    tenantColumn(),
    { head: 'Closed until', short: true, cell: (one) => one.closed_month ?? 'none' },
    {
      head: month,
      short: true,
      align: 'right',
      cell: (one) =>
        isClosed(one, month) ? (
          <Status tone="good">Closed</Status>
        ) : (
          <ActButton
            isCompact
            act="books.close"
            label="Close"
            title={`Close ${month}?`}
            about={FOR_GOOD}
            run={(reason) => close(one.tenant_id, month, reason)}
          />
        ),
    },
  ]
  return (
    <PagedPanel
      title="Closed months"
      actions={
        tenantId === undefined && (
          <ActButton
            isCompact
            act="books.close"
            label="Close for all"
            title={`Close ${month} for all tenants?`}
            about={`${FOR_GOOD} One tenant's month that cannot be closed yet keeps no other open.`}
            run={(reason) => closeForAll(month, reason)}
            result={(answer) => <ClosedForAll answer={answer as ClosedAll} />}
          />
        )
      }
      label="Closed months, a tenant a row"
      pages={pages}
      columns={columns}
      rowKey={(one) => one.tenant_id}
      empty={['There are no tenants yet', 'Each has months of its own.']}
    />
  )
}

type ClosedAll = { closed: number; refused: readonly { tenantId: string; detail: string }[] }

/** One after the other, each in a transaction of its own: no booking waits for all. */
async function closeForAll(month: string, reason: string): Promise<ClosedAll> {
  const refused: { tenantId: string; detail: string }[] = []
  let closed = 0
  let from: string | undefined
  do {
    const page: Answer<'listClosedMonths'> = await list('listClosedMonths', { from, limit: 100 })
    for (const one of page.items.filter((each) => !isClosed(each, month))) {
      try {
        await close(one.tenant_id, month, reason)
        closed += 1
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== 'validation_failed') throw error
        refused.push({ tenantId: one.tenant_id, detail: error.detail ?? error.title })
      }
    }
    from = page.next_cursor
  } while (from !== undefined)
  return { closed, refused }
}

function ClosedForAll({ answer: { closed, refused } }: { answer: ClosedAll }) {
  return (
    <>
      <Notice
        tone={refused.length === 0 ? 'calm' : 'warn'}
        title={`Closed for ${closed === 1 ? 'one tenant' : `${closed} tenants`}.`}
      />
      {refused.length > 0 && (
        <ul>
          {refused.map(({ tenantId, detail }) => (
            <li key={tenantId}>
              <TenantLink id={tenantId} />: {detail}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
