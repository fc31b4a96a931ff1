import { SCOPES, type Scope } from '../../core/scopes.ts'

export const ROLES = ['viewer', 'developer', 'admin'] as const

export type Role = (typeof ROLES)[number]

/** What only the console has. */
export const CONSOLE_SCOPES = [
  'key:read',
  'key:write',
  'action:read',
  'person:read',
  'person:write',
] as const

export type ConsoleScope = Scope | (typeof CONSOLE_SCOPES)[number]

const DEVELOPER: readonly ConsoleScope[] = [...SCOPES, 'key:read', 'key:write', 'action:read']

const SCOPES_OF = {
  viewer: DEVELOPER.filter((scope) => scope.endsWith(':read')),
  developer: DEVELOPER,
  admin: [...SCOPES, ...CONSOLE_SCOPES],
} as const satisfies Record<Role, readonly ConsoleScope[]>

export function scopesOf(role: Role): readonly ConsoleScope[] {
  return SCOPES_OF[role]
}
