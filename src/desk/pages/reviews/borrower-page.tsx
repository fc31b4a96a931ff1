import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { live } from '../../../pages/data/query-client.ts'
import { Facts, Loading, Notice, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id, Money, Status, Time } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { FacilityLink, TenantLink } from '../../parts/tenants.tsx'
import { ActsOnBorrower } from './acts-on-borrower.tsx'
import { ChecksPanel } from './checks-panel.tsx'
import { RecordPanel } from './record-panel.tsx'
import { SignaturesPanel } from './signatures-panel.tsx'

export type BorrowerFile = Schemas['BorrowerFile']
export type Revealed = Schemas['Revealed']

/** A borrower of a tenant, as a decision needs them. */
export function BorrowerPage() {
  const { tenantId = '', borrowerId = '' } = useParams({ strict: false })
  const [revealed, setRevealed] = useState<Revealed>()
  const file = useQuery({
    queryKey: live('borrower', tenantId, borrowerId),
    queryFn: ({ signal }) =>
      call('getBorrowerFile', { path: { tenant_id: tenantId, borrower_id: borrowerId }, signal }),
  })
  const { data, error, isPending } = file
  return (
    <Page
      title="Borrower"
      beside={<Id value={borrowerId} />}
      crumbs={<Link to="/reviews">Reviews</Link>}
      actions={data && <ActsOnBorrower file={data} onRevealed={setRevealed} />}
    >
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {data && (
        <>
          <Proposals file={data} />
          <BorrowerPanel file={data} />
          <ChecksPanel file={data} revealed={revealed} />
          <SignaturesPanel file={data} revealed={revealed} />
          <RecordPanel borrowerId={borrowerId} />
        </>
      )}
    </Page>
  )
}

function Proposals({ file }: { file: BorrowerFile }) {
  return file.proposals.map(({ approval_id, action, reason, proposed_by }) => (
    <Notice key={approval_id} tone="calm" title={`Proposed: ${action}, by ${proposed_by}`}>
      “{reason}” waits for another operator under <Link to="/approvals">Approvals</Link>.
    </Notice>
  ))
}

function BorrowerPanel({ file }: { file: BorrowerFile }) {
  const { block, latest_facility: facility } = file
  return (
    <Panel title="Borrower">
      <Facts
        items={[
          ['Tenant', <TenantLink key="tenant" id={file.tenant_id} />],
          ["Tenant's own id", file.external_id ?? '–'],
          ['Type', file.type],
          ['Lives in', file.residency],
          ['Attested by the tenant', file.kyc_attested ? 'yes' : 'no'],
          [
            'Eligible',
            <Status key="eligible" tone={file.eligible ? 'good' : 'plain'}>
              {file.eligible ? 'Yes' : 'Not yet'}
            </Status>,
          ],
          ['Since', <Time key="since" at={file.created_at} />],
          [
            'Block',
            block ? (
              <span key="block">
                <Status tone="bad">Blocked</Status> since <Time at={block.since} />: {block.reason}
              </span>
            ) : (
              'none'
            ),
          ],
          [
            'Latest facility',
            facility ? (
              <span key="facility">
                <FacilityLink tenantId={file.tenant_id} facilityId={facility.facility_id} />{' '}
                {facility.state}, limit <Money {...facility.limit} />
              </span>
            ) : (
              'none'
            ),
          ],
        ]}
      />
    </Panel>
  )
}
