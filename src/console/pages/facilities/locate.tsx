import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id } from '../../../pages/parts/values.tsx'
import { consoleApi } from '../../data/console-api.ts'

/** A draw by its id alone. */
export function DrawPage() {
  const { id } = useParams({ from: '/draws/$id' })
  return <Located title="Draw" id={id} locate={consoleApi.locateDraw} search={{ tab: 'draws' }} />
}

/** A repayment by its id alone. */
export function RepaymentPage() {
  const { id } = useParams({ from: '/repayments/$id' })
  const search = { tab: 'repayments', repayment: id }
  return <Located title="Repayment" id={id} locate={consoleApi.locateRepayment} search={search} />
}

type LocatedProps = {
  title: string
  id: string
  locate: (id: string) => Promise<{ facility_id: string }>
  search: Record<string, string>
}

/** The API names draws and repayments within their facility. */
function Located({ title, id, locate, search }: LocatedProps) {
  const { data, error } = useQuery({ queryKey: ['facility-of', id], queryFn: () => locate(id) })
  if (data) {
    return (
      <Navigate to="/facilities/$id" params={{ id: data.facility_id }} search={search} replace />
    )
  }
  return (
    <Page title={title} beside={<Id value={id} />}>
      <Panel title={title} flush>
        {error ? <ProblemAlert error={error} /> : <Loading />}
      </Panel>
    </Page>
  )
}
