import { SectionTabs } from '../../parts/section-tabs.tsx'

export function OperationsTabs() {
  return (
    <SectionTabs
      label="Operations"
      tabs={[
        { to: '/operations', label: 'Overview' },
        { to: '/operations/work', label: 'Work' },
        { to: '/operations/webhooks', label: 'Webhooks' },
        { to: '/operations/prices', label: 'Prices' },
        { to: '/operations/audit', label: 'Audit' },
        { to: '/operations/stores', label: 'Stores' },
      ]}
    />
  )
}
