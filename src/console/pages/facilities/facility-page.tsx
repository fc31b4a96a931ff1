import { Tabs } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Facility } from '../../../client/index.ts'
import { FacilityStatus, HealthStatus } from '../../../pages/lending/values.tsx'
import { Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id } from '../../../pages/parts/values.tsx'
import { useFacility } from '../../data/lending.ts'
import { MarginTab } from '../margin/margin-tab.tsx'
import { CloseButton } from './close-button.tsx'
import { hasLoan } from './facility-columns.tsx'
import { FacilityFacts } from './facility-facts.tsx'
import { PreviewTab } from './foresight/preview-tab.tsx'
import { HealthPanel } from './health/health-panel.tsx'
import { HealthTab } from './health/health-tab.tsx'
import { DrawsTab } from './money/draws-tab.tsx'
import { RepaymentsTab } from './money/repayments-tab.tsx'
import { StatementTab } from './money/statement-tab.tsx'

type TabView = { label: string; view: (facility: Facility) => ReactNode }

const TABS: Readonly<Record<string, TabView>> = {
  health: { label: 'Collateral', view: (facility) => <HealthTab facility={facility} /> },
  draws: { label: 'Draws', view: (facility) => <DrawsTab facility={facility} /> },
  repayments: { label: 'Repayments', view: (facility) => <RepaymentsTab facility={facility} /> },
  margin: { label: 'Margin', view: (facility) => <MarginTab facilityId={facility.id} /> },
  statement: { label: 'Statement', view: (facility) => <StatementTab facility={facility} /> },
  preview: { label: 'What if', view: (facility) => <PreviewTab facility={facility} /> },
}

export function FacilityPage() {
  const { id: facilityId } = useParams({ from: '/facilities/$id' })
  const { data: facility, error } = useFacility(facilityId)
  const crumbs = <Link to="/facilities">Facilities</Link>
  if (!facility) {
    return (
      <Page title="Facility" crumbs={crumbs} beside={<Id value={facilityId} />}>
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
          {hasLoan(facility) && <HealthStatus of={facility.health} />}
        </>
      }
      actions={<CloseButton facility={facility} />}
    >
      <ProblemAlert error={error} />
      {hasLoan(facility) && <HealthPanel facility={facility} />}
      <Panel title="Loan">
        <FacilityFacts facility={facility} />
      </Panel>
      <FacilityTabs facility={facility} />
    </Page>
  )
}

function FacilityTabs({ facility }: { facility: Facility }) {
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  const shown = tab !== undefined && tab in TABS ? tab : 'health'
  const show = (value: string | null) =>
    void navigate({
      to: '/facilities/$id',
      params: { id: facility.id },
      search: { tab: value ?? 'health' },
      replace: true,
      resetScroll: false,
    })
  return (
    <Tabs value={shown} onChange={show} keepMounted={false}>
      <Tabs.List>
        {Object.entries(TABS).map(([value, { label }]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(TABS).map(([value, { view }]) => (
        <Tabs.Panel key={value} value={value} pt="md">
          {view(facility)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
