import fc from 'fast-check'
import { ID_PREFIXES } from '../../../src/core/ids.ts'

const DIGITS = [...'0123456789abcdefghjkmnpqrstvwxyz']
const FIRST_DIGITS = DIGITS.slice(0, 8)

/** Any text that has the form of an id with this prefix; nine in ten of them are no UUID. */
export function wellFormedIds(prefix: string): fc.Arbitrary<string> {
  const rest = fc.array(fc.constantFrom(...DIGITS), { minLength: 25, maxLength: 25 })
  return fc
    .tuple(fc.constantFrom(...FIRST_DIGITS), rest)
    .map(([first, others]) => `${prefix}_${first}${others.join('')}`)
}

/** The same, of every kind that there is. */
export const anyWellFormedId = fc.constantFrom(...ID_PREFIXES).chain(wellFormedIds)
