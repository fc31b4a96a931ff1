import { SectionTabs } from '../../parts/section-tabs.tsx'

export function ReviewsTabs() {
  return (
    <SectionTabs
      label="Reviews"
      tabs={[
        { to: '/reviews', label: 'Checks' },
        { to: '/reviews/applications', label: 'Applications' },
        { to: '/reviews/blocked', label: 'Blocked borrowers' },
      ]}
    />
  )
}
