import type { Role } from '../../data/console-api.ts'

export const ROLES: readonly { value: Role; label: string; about: string }[] = [
  { value: 'viewer', label: 'Viewer', about: 'Reads everything but people, changes nothing' },
  { value: 'developer', label: 'Developer', about: 'Also keys, webhooks and lending' },
  { value: 'admin', label: 'Admin', about: 'Also people' },
]
