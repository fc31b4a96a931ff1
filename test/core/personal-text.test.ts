import { expect, test } from 'vitest'
import { makeBorrowerKey, openBorrowerKey, sealedText } from '../../src/core/personal-text.ts'
import { testSealer } from '../support/stores/sealer.ts'

const ADA = { tenantId: 'ten_1', borrowerId: 'bor_1' }
const GRACE = { tenantId: 'ten_1', borrowerId: 'bor_2' }

const stored = makeBorrowerKey(testSealer, ADA)
const key = openBorrowerKey(testSealer, ADA, stored)
const other = openBorrowerKey(testSealer, GRACE, makeBorrowerKey(testSealer, GRACE))

test('a sealed text is opened by the key of its borrower alone, and as the kind that it is', () => {
  const sealed = key.seal('Ada Lovelace', 'name')
  expect(sealedText(sealed)).not.toContain('Ada')
  expect(key.open(sealed, 'name')).toBe('Ada Lovelace')
  expect(() => key.open(sealed, 'note')).toThrow(/does not open/)
  expect(() => other.open(sealed, 'name')).toThrow(/does not open/)
})

test('a key is opened for its own borrower alone', () => {
  expect(() => openBorrowerKey(testSealer, GRACE, stored)).toThrow(/does not open/)
})

test('equal texts are sealed alike for one borrower and one kind, and for no other', () => {
  const account = key.seal('account-1', 'destination')
  expect(key.seal('account-1', 'destination')).toBe(account)
  expect(key.seal('account-1', 'reference')).not.toBe(account)
  expect(key.seal('account-2', 'destination')).not.toBe(account)
  expect(other.seal('account-1', 'destination')).not.toBe(account)
  expect(key.digest('ada')).toBe(key.digest('ada'))
  expect(other.digest('ada')).not.toBe(key.digest('ada'))
})

test('without its key a borrower’s text is undefined, and no new one is sealed', () => {
  const erased = openBorrowerKey(testSealer, ADA, null)
  expect(erased.open(key.seal('Ada Lovelace', 'name'), 'name')).toBeUndefined()
  for (const write of [() => erased.seal('Ada', 'name'), () => erased.digest('ada')]) {
    expect(write).toThrow(expect.objectContaining({ code: 'borrower_erased' }))
  }
})
