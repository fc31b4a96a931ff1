/** Shown by the forms that make keys, and by docs/requests.md. */
export const SCOPE_SENTENCES = {
  'webhook:write':
    'Register, test and delete webhooks, replace the signing secret, deliver events again.',
  'webhook:read': 'Read webhooks and deliveries, and the log of all events.',
  'borrower:write': 'Create borrowers and submit their signatures.',
  'borrower:read': 'Read borrowers, their signatures and portfolios, and the contracts to accept.',
  'facility:read':
    'Read facilities, with their draws, repayments, statements, collateral and margin.',
  'facility:write':
    'Apply for facilities, draw and close them; on the sandbox, set prices and the clock.',
  'repayment:write':
    'Announce and report repayments, and report that a borrower was told of a warning.',
  'portfolio:write': 'Push what borrowers hold, and choose where portfolios come from.',
} as const

export type Scope = keyof typeof SCOPE_SENTENCES

export const SCOPES = Object.keys(SCOPE_SENTENCES) as [Scope, ...Scope[]]

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPE_SENTENCES, text)
}
