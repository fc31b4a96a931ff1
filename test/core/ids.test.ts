import fc from 'fast-check'
import { TypeID } from 'typeid-js'
import { expect, test } from 'vitest'
import {
  firstIdAt,
  ID_PREFIXES,
  idPattern,
  isId,
  newDatedId,
  newId,
  parseId,
} from '../../src/core/ids.ts'
import { anyWellFormedId } from '../support/api/random-ids.ts'

test('an identifier shows its kind and the instant at which it was made', () => {
  const before = Date.now()
  const { id, madeAt } = newDatedId('fac')
  const after = Date.now()
  expect(id).toMatch(/^fac_[0-9a-z]{26}$/)
  expect(parseId('fac', id)).toEqual({ madeAt })
  expect(madeAt.getTime()).toBeGreaterThanOrEqual(before)
  expect(madeAt.getTime()).toBeLessThanOrEqual(after)
})

test('identifiers are unique, and sort by the time they were made', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('evt'))
  expect(new Set(ids).size).toBe(ids.length)
  const times = [...ids].sort().map((id) => parseId('evt', id)?.madeAt.getTime() ?? 0)
  expect(times).toEqual([...times].sort((a, b) => a - b))
})

test('the first id of an instant parts those before it from those at and after it', () => {
  const { id, madeAt } = newDatedId('req')
  expect(parseId('req', firstIdAt('req', madeAt))).toEqual({ madeAt })
  expect(firstIdAt('req', madeAt) <= id).toBe(true)
  expect(firstIdAt('req', new Date(madeAt.getTime() + 1)) > id).toBe(true)
  expect(parseId('req', firstIdAt('req', new Date(0)))).toEqual({ madeAt: new Date(0) })
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
])('an identifier is refused: %s', (_name, text) => {
  expect(isId('bor', text)).toBe(false)
  expect(isId('bor', 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c')).toBe(true)
})

test('a key’s id may have the part that earlier releases gave it, and no other identifier may', () => {
  const body = newId('key').slice(4)
  expect(parseId('key', `key_eu1_${body}`)).toEqual(parseId('key', `key_${body}`))
  const forms = {
    eu1: true,
    a: true,
    abcdefgh: true,
    abcdefghi: false,
    EU1: false,
    '': false,
    a_b: false,
  }
  for (const [part, isForm] of Object.entries(forms)) {
    const text = `key_${part}_${body}`
    expect([isId('key', text), new RegExp(idPattern('key')).test(text)], text).toEqual([
      isForm,
      isForm,
    ])
    expect(isId('bor', `bor_${part}_${body}`)).toBe(false)
  }
})

test('the instant of an identifier is that of its UUID', () => {
  for (const prefix of ID_PREFIXES) {
    const { id, madeAt } = newDatedId(prefix)
    const uuid = TypeID.fromString(id).toUUID()
    expect(madeAt.getTime()).toBe(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16))
  }
})

test('every text of the form of an id is read without an error, also one that is no UUID', () => {
  fc.assert(
    fc.property(anyWellFormedId, fc.constantFrom(...ID_PREFIXES), (id, prefix) => {
      const parsed = parseId(prefix, id)
      expect(parsed !== undefined).toBe(id.startsWith(`${prefix}_`))
      if (parsed) expect(Number.isNaN(parsed.madeAt.getTime())).toBe(false)
    }),
    { numRuns: 1_000 },
  )
})

test('any text at all is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...ID_PREFIXES), (text, prefix) => {
      expect(parseId(prefix, text)).toBeUndefined()
      expect(parseId(prefix, `${prefix}_${text}`)).toBeUndefined()
    }),
  )
})
