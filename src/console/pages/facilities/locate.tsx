import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { service } from '../../data/service.ts'
import { Empty } from '../../parts/empty.tsx'
import { Id } from '../../parts/id.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemAlert } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'

/** A draw by its id alone. */
export function DrawPage() {
  const { id } = useParams({ from: '/draws/$id' })
  return <Located title="Draw" id={id} search={{ tab: 'draws' }} />
}

/** A repayment by its id alone. */
export function RepaymentPage() {
  const { id } = useParams({ from: '/repayments/$id' })
  return <Located title="Repayment" id={id} search={{ tab: 'repayments', repayment: id }} />
}

type LocatedProps = { title: string; id: string; search: Record<string, string> }

/** The API names draws and repayments within their facility: the event log knows which. */
function Located({ title, id, search }: LocatedProps) {
  const { data, error } = useQuery({
    queryKey: ['facility-of', id],
    queryFn: async ({ signal }) => {
      const { items } = await service.listEvents({ resource_id: id, limit: 1 }, { signal })
      const [event] = items
      const facilityId = event && 'facility_id' in event.data ? event.data.facility_id : undefined
      return facilityId ?? null
    },
  })
  if (typeof data === 'string') {
    return <Navigate to="/facilities/$id" params={{ id: data }} search={search} replace />
  }
  return (
    <Page title={title} beside={<Id value={id} />}>
      <Panel title={title} flush>
        <ProblemAlert error={error} />
        {data === undefined && !error && <Loading />}
        {data === null && (
          <Empty title="No event is about this id yet">
            It is found here once it was completed, applied or failed. Until then it is on the page
            of its facility.
          </Empty>
        )}
      </Panel>
    </Page>
  )
}
