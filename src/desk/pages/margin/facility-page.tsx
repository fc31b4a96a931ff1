import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatRatio } from '../../../pages/data/figures.ts'
import { FacilityStatus, HealthStatus } from '../../../pages/lending/values.tsx'
import { Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { groupDigits, Id, Money, Ratio, Time } from '../../../pages/parts/values.tsx'
import { type DeskFacility, useFacility } from '../../data/margin.ts'
import { BorrowerLink, TenantLink } from '../../parts/tenants.tsx'
import { AmendFacility, NextTerms } from './amend-facility.tsx'
import { CorrectionsPanel } from './corrections-panel.tsx'
import { CustodianPanel } from './custodian-panel.tsx'
import { HoldBand, HoldFacility } from './hold-band.tsx'
import { CallLink, FacilityCrumbs, WarningLink } from './margin-links.tsx'
import { TimelinePanel } from './timeline-panel.tsx'

export function FacilityPage() {
  const of = useParams({ from: '/margin/$tenantId/$facilityId' })
  const { data: facility, error } = useFacility(of)
  const crumbs = <FacilityCrumbs {...of} />
  if (!facility) {
    return (
      <Page title="Facility" crumbs={crumbs} beside={<Id value={of.facilityId} />}>
        <Panel title="Facility">{error ? <ProblemAlert error={error} /> : <Loading />}</Panel>
      </Page>
    )
  }
  return (
    <Page
      title="Facility"
      crumbs={crumbs}
      beside={
        <>
          <Id value={facility.id} />
          <FacilityStatus of={facility.state} />
          {facility.state === 'APPROVED' && <HealthStatus of={facility.health} />}
          <AmendFacility facility={facility} />
          <HoldFacility facility={facility} />
        </>
      }
    >
      <ProblemAlert error={error} />
      <HoldBand facility={facility} />
      <Panel title="Loan">
        <Facts items={factsOf(facility)} />
      </Panel>
      <TablePanel
        title="Collateral that counts"
        label="Positions, one a row"
        columns={POSITIONS}
        rowKey={({ asset }) => asset}
        rows={facility.positions}
        empty={['There is no collateral', 'The borrower has pushed none.']}
      />
      <CorrectionsPanel facility={facility} />
      <CustodianPanel reading={facility.custodian} />
      <TimelinePanel of={of} />
    </Page>
  )
}

type Position = DeskFacility['positions'][number]

const POSITIONS: readonly Column<Position>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Quantity', align: 'right', cell: ({ quantity }) => groupDigits(quantity) },
  {
    head: 'Price',
    align: 'right',
    keep: 'low',
    cell: ({ price_usd: price }) => (price === null ? '–' : <Money amount={price} />),
  },
  {
    head: 'Haircut',
    align: 'right',
    keep: 'low',
    cell: ({ haircut }) => (haircut === null ? 'does not count' : formatRatio(haircut, 0)),
  },
  { head: 'Counts', align: 'right', cell: ({ value_usd: value }) => <Money amount={value} /> },
]

function chargeOffOf({ charged_off_usd: lost, recovered_usd: recovered }: DeskFacility) {
  if (lost === null || recovered === null) return []
  return [
    ['Charged off', <Money key="lost" amount={lost} />] as const,
    ['Recovered', <Money key="recovered" amount={recovered} />] as const,
  ]
}

function factsOf(facility: DeskFacility): (readonly [string, ReactNode])[] {
  const { open_warning: warning, running_call: call } = facility
  const of = { tenantId: facility.tenant_id, facilityId: facility.id }
  return [
    ['Tenant', <TenantLink key="tenant" id={facility.tenant_id} />],
    ["Tenant's own id", facility.external_id ?? '–'],
    [
      'Borrower',
      <BorrowerLink
        key="borrower"
        tenantId={facility.tenant_id}
        borrowerId={facility.borrower_id}
      />,
    ],
    ['Limit', <Money key="limit" amount={facility.limit_usd} />],
    ['Principal', <Money key="principal" amount={facility.principal_usd} />],
    ['Interest', <Money key="interest" amount={facility.interest_usd} />],
    ['Debt', <Money key="debt" amount={facility.debt_usd} />],
    ...chargeOffOf(facility),
    ['Collateral', <Money key="value" amount={facility.collateral_value_usd} />],
    ['Floor', <Money key="floor" amount={facility.required_floor_usd} />],
    ['LTV', <Ratio key="ltv" ltv={facility.ltv} />],
    ['Rate', formatRatio(facility.rate, 2)],
    [
      'Terms',
      facility.terms_version === null
        ? '–'
        : `Version ${facility.terms_version} of the margin policy`,
    ],
    ['Next terms', <NextTerms key="next" facility={facility} />],
    ['Prices', facility.valuation_status === 'FRESH' ? 'Fresh' : 'Old or missing'],
    [
      'Forbearance',
      facility.forbearance_until === null ? (
        '–'
      ) : (
        <Time key="forbearance" at={facility.forbearance_until} />
      ),
    ],
    ['Open warning', warning === null ? '–' : <WarningLink key="w" {...of} number={warning} />],
    ['Running call', call === null ? '–' : <CallLink key="c" {...of} number={call} />],
    ['As of', <Time key="as-of" at={facility.as_of} />],
  ]
}
