import { SectionTabs } from '../../parts/section-tabs.tsx'

const TABS = [
  { to: '/administration', label: 'Tenants' },
  { to: '/administration/residency', label: 'Residency' },
  { to: '/administration/margin-policy', label: 'Margin policy' },
]

export function AdministrationTabs() {
  return <SectionTabs label="Administration" tabs={TABS} />
}
