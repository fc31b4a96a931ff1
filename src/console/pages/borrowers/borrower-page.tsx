import { Link, useParams } from '@tanstack/react-router'
import { useBorrower } from '../../data/lending/lending.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { EligibleStatus } from '../../parts/lending/lending-status.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemAlert } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { BorrowerFacilities } from './borrower-facilities.tsx'
import { BORROWER_TYPES, describeResidency } from './describe-borrower.ts'
import { Eligibility } from './eligibility.tsx'
import { PortfolioPanel } from './portfolio-panel.tsx'

export function BorrowerPage() {
  const { id: borrowerId } = useParams({ from: '/borrowers/$id' })
  const { data: borrower, error } = useBorrower(borrowerId)
  const crumbs = <Link to="/borrowers">Borrowers</Link>
  if (!borrower) {
    return (
      <Page title="Borrower" crumbs={crumbs} beside={<Id value={borrowerId} />}>
        <Panel title="Borrower">{error ? <ProblemAlert error={error} /> : <Loading />}</Panel>
      </Page>
    )
  }
  return (
    <Page
      title="Borrower"
      crumbs={crumbs}
      beside={
        <>
          <Id value={borrower.id} />
          <EligibleStatus eligible={borrower.eligible} />
        </>
      }
    >
      <Panel title="Borrower">
        <Facts
          items={[
            ...(borrower.external_id === undefined
              ? []
              : [['Your id', borrower.external_id] as const]),
            ['Type', BORROWER_TYPES[borrower.type]],
            ['Residency', describeResidency(borrower)],
            ['KYC attested by you', borrower.kyc_attested ? 'Yes' : 'No'],
            ['Created', <Time key="created" at={borrower.created_at} />],
            ['Changed', <Time key="changed" at={borrower.updated_at} />],
          ]}
        />
      </Panel>
      <Eligibility borrower={borrower} />
      <PortfolioPanel borrowerId={borrower.id} />
      <BorrowerFacilities borrower={borrower} />
    </Page>
  )
}
