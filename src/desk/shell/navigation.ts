import { IconChartHistogram, IconCheckbox, IconHistory, IconUsers } from '@tabler/icons-react'
import type { NavigationGroup } from '../../console/frame/navigation.ts'

/** Every page that has a place in the menu, in order. */
export const NAVIGATION: readonly NavigationGroup[] = [
  { entries: [{ to: '/', label: 'Book', icon: IconChartHistogram }] },
  {
    label: 'Record',
    entries: [
      { to: '/approvals', label: 'Approvals', icon: IconCheckbox },
      { to: '/actions', label: 'Actions', icon: IconHistory },
      { to: '/operators', label: 'Operators', icon: IconUsers },
    ],
  },
]
