export const SCOPES = [
  'webhook:write',
  'webhook:read',
  'borrower:write',
  'borrower:read',
  'facility:read',
  'facility:write',
  'repayment:write',
  'portfolio:write',
] as const

export type Scope = (typeof SCOPES)[number]

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}
