import { expect, test } from 'vitest'
import { idTime, isId, newId } from '../../src/core/ids.ts'

test('an identifier tells its kind, and the instant at which it was made', () => {
  const before = Date.now()
  const id = newId('fac')
  const after = Date.now()
  expect(id).toMatch(/^fac_[0-9a-z]{26}$/)
  expect(idTime(id).getTime()).toBeGreaterThanOrEqual(before)
  expect(idTime(id).getTime()).toBeLessThanOrEqual(after)
})

test('identifiers are made once, and sort by when', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('evt'))
  expect(new Set(ids).size).toBe(ids.length)
  const times = [...ids].sort().map((id) => idTime(id).getTime())
  expect(times).toEqual([...times].sort((a, b) => a - b))
})

test.each([
  ['another kind', 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'],
  ['no kind', '01k9x4m2q8e0tb7f2v5j6h8n3c'],
  ['capitals', 'bor_01K9X4M2Q8E0TB7F2V5J6H8N3C'],
  ['a letter that base32 leaves out', 'bor_01k9x4m2q8e0tb7f2v5j6h8n3l'],
  ['more than a UUID holds', 'bor_81k9x4m2q8e0tb7f2v5j6h8n3c'],
  ['too short', 'bor_01k9x4m2q8e0tb7f2v5j6h8n3'],
  ['too long', 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c0'],
  ['a line end', 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c\n'],
])('an identifier of %s is none of this kind', (_name, text) => {
  expect(isId('bor', text)).toBe(false)
  expect(isId('bor', 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c')).toBe(true)
})
