import {
  IconActivity,
  IconAlertTriangle,
  IconBuildingBank,
  IconFlask,
  IconHistory,
  IconHome,
  IconKey,
  IconList,
  IconSend,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { NavigationGroup } from '../../pages/frame/application.ts'

/** Every page that has a place in the menu, in order. */
export const NAVIGATION: readonly NavigationGroup[] = [
  { entries: [{ to: '/', label: 'Overview', icon: IconHome }] },
  {
    label: 'Lending',
    entries: [
      { to: '/borrowers', label: 'Borrowers', icon: IconUser, scope: 'borrower:read' },
      { to: '/facilities', label: 'Facilities', icon: IconBuildingBank, scope: 'facility:read' },
      { to: '/margin', label: 'Margin', icon: IconAlertTriangle, scope: 'facility:read' },
      {
        to: '/sandbox',
        label: 'Sandbox',
        icon: IconFlask,
        scope: 'facility:read',
        sandboxOnly: true,
      },
    ],
  },
  {
    label: 'Developers',
    entries: [
      { to: '/keys', label: 'Keys', icon: IconKey, scope: 'key:read' },
      { to: '/requests', label: 'Requests', icon: IconList },
      { to: '/events', label: 'Events', icon: IconActivity },
      { to: '/webhooks', label: 'Webhooks', icon: IconWebhook },
      { to: '/deliveries', label: 'Deliveries', icon: IconSend },
    ],
  },
  {
    label: 'Team',
    entries: [
      { to: '/people', label: 'People', icon: IconUsers, scope: 'person:read' },
      { to: '/actions', label: 'Actions', icon: IconHistory, scope: 'action:read' },
    ],
  },
]
