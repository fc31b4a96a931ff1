import { useQuery } from '@tanstack/react-query'
import { type Portfolio, ProblemError } from '../../../client/index.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Empty, Loading, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { groupDigits, Time } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import { PushButton } from './push-button.tsx'

const COLUMNS: readonly Column<Portfolio['positions'][number]>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Quantity', align: 'right', cell: ({ quantity }) => groupDigits(quantity) },
]

const SOURCES = {
  push: 'What you push counts. Before it cures a warning, the custodian confirms it.',
  custodian: 'The smaller of what you push and what the custodian holds counts.',
} as const

const isNone = (error: unknown) => error instanceof ProblemError && error.is('not_found')

/** What the borrower holds, as last pushed, and what decides about it. */
export function PortfolioPanel({ borrowerId }: { borrowerId: string }) {
  const portfolio = useQuery({
    queryKey: live('borrower', borrowerId, 'portfolio'),
    queryFn: ({ signal }) =>
      service.getPortfolio(borrowerId, { signal }).catch((error: unknown) => {
        if (isNone(error)) return null
        throw error
      }),
    refetchInterval: 10_000,
  })
  const source = useQuery({
    queryKey: ['portfolio-source'],
    queryFn: ({ signal }) => service.getPortfolioSource({ signal }),
  })
  const { data } = portfolio
  return (
    <Panel
      title="Portfolio"
      flush
      // A form that began without what is held would push it away.
      actions={
        data !== undefined && <PushButton borrowerId={borrowerId} held={data?.positions ?? []} />
      }
    >
      <ProblemAlert error={portfolio.error ?? source.error} />
      {portfolio.isPending && <Loading lines={2} />}
      {data === null && (
        <Empty title="Nothing was pushed yet">
          Push everything that the borrower holds at the custodian: here, or with{' '}
          <span className="mono">PUT /v1/borrowers/…/portfolio</span>.
        </Empty>
      )}
      {data && (
        <>
          {data.positions.length > 0 ? (
            <DataTable
              label="Positions"
              columns={COLUMNS}
              rows={data.positions}
              rowKey={({ asset }) => asset}
            />
          ) : (
            <Empty title="The portfolio is empty">Nothing was held when it was pushed.</Empty>
          )}
          <p className="quiet" style={{ padding: '10px 16px 14px' }}>
            As of <Time at={data.as_of} />, received <Time at={data.received_at} />.{' '}
            {source.data && SOURCES[source.data.mode]}
          </p>
        </>
      )}
    </Panel>
  )
}
