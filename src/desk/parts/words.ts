import type { Schemas } from '../data/operator-api.ts'

/** `residency.set`: "Residency: set". */
export function actInWords(action: string): string {
  const text = action.replace('.', ': ').replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const APPROVAL_STATES: Readonly<Record<Schemas['Approval']['status'], string>> = {
  PENDING: 'Waits',
  CONFIRMED: 'Confirmed',
  REJECTED: 'Rejected',
  EXPIRED: 'Expired',
}
