import { Link, useParams } from '@tanstack/react-router'
import { EligibleStatus } from '../../../pages/lending/values.tsx'
import { Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id, Time } from '../../../pages/parts/values.tsx'
import { useBorrower } from '../../data/lending.ts'
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
