import { SectionTabs } from '../../parts/section-tabs.tsx'

export function MarginTabs() {
  return (
    <SectionTabs
      label="Margin"
      tabs={[
        { to: '/margin', label: 'Open warnings' },
        { to: '/margin/calls', label: 'Margin calls' },
        { to: '/margin/holds', label: 'Holds' },
        { to: '/margin/stress', label: 'Stress' },
      ]}
    />
  )
}
