import type { Borrower } from '../../../client/index.ts'

const countries = new Intl.DisplayNames(['en'], { type: 'region' })

export const BORROWER_TYPES: Readonly<Record<Borrower['type'], string>> = {
  individual: 'Individual',
  business: 'Business',
}

export function describeResidency(borrower: Borrower): string {
  const { residency_country: country, residency_state: state } = borrower
  const name = countries.of(country) ?? country
  return state === undefined ? name : `${name}, ${state}`
}
