import {
  IconActivity,
  IconAdjustments,
  IconAlertTriangle,
  IconBook2,
  IconChartHistogram,
  IconCheckbox,
  IconClipboardCheck,
  IconHistory,
  IconUsers,
} from '@tabler/icons-react'
import type { NavigationGroup } from '../../pages/frame/application.ts'

/** Every page that has a place in the menu, in order. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    entries: [
      { to: '/', label: 'Book', icon: IconChartHistogram },
      { to: '/margin', label: 'Margin', icon: IconAlertTriangle },
      { to: '/reviews', label: 'Reviews', icon: IconClipboardCheck },
      { to: '/operations', label: 'Operations', icon: IconActivity },
      { to: '/administration', label: 'Administration', icon: IconAdjustments },
    ],
  },
  {
    label: 'Record',
    entries: [
      { to: '/books', label: 'Books', icon: IconBook2 },
      { to: '/approvals', label: 'Approvals', icon: IconCheckbox },
      { to: '/actions', label: 'Actions', icon: IconHistory },
      { to: '/operators', label: 'Operators', icon: IconUsers },
    ],
  },
]
