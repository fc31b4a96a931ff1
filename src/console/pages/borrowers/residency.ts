import type { Borrower } from '../../../client/index.ts'

const countries = new Intl.DisplayNames(['en'], { type: 'region' })

export function describeResidency(borrower: Borrower): string {
  const { residency_country: country, residency_state: state } = borrower
  const name = countries.of(country) ?? country
  return state === undefined ? name : `${name}, ${state}`
}
