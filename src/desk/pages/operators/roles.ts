import type { Schemas } from '../../data/operator-api.ts'

export type Role = Schemas['Operator']['role']

export const ROLES: readonly { value: Role; label: string; about: string }[] = [
  { value: 'viewer', label: 'Viewer', about: 'Reads everything, changes nothing' },
  { value: 'reviewer', label: 'Reviewer', about: 'Also decides on borrowers, and retries work' },
  { value: 'risk', label: 'Risk', about: 'Also changes policies and redirects refunds' },
  { value: 'admin', label: 'Admin', about: 'Everything: tenants, keys and operators too' },
]
