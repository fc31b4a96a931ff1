import { TypeID } from 'typeid-js'
import { afterEach, expect, test, vi } from 'vitest'
import { newUuidV7 } from '../../src/core/uuid-v7.ts'

afterEach(() => vi.restoreAllMocks())

const toUuid = (text: string) => TypeID.fromString(`req_${text}`).toUUID()

test('each is a UUID of version 7 in the form of RFC 9562', () => {
  const uuids = Array.from({ length: 5_000 }, () => toUuid(newUuidV7()))
  for (const uuid of uuids) {
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  expect(new Set(uuids).size).toBe(uuids.length)
})

test('those of one millisecond are in the order in which they were made', () => {
  const now = Date.now() + 1_000
  vi.spyOn(Date, 'now').mockReturnValue(now)
  const texts = Array.from({ length: 5_000 }, () => newUuidV7())
  expect(texts).toEqual([...texts].sort())
})

test('a clock that goes back a little changes no order, and one that was set back is followed', () => {
  const later = Date.now() + 100_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(later)
  const first = newUuidV7()
  clock.mockReturnValue(later - 1_000)
  expect(newUuidV7() > first).toBe(true)
  clock.mockReturnValue(later - 20_000)
  expect(newUuidV7() < first).toBe(true)
})

test('every bit that is not of the time and the form takes both values', () => {
  const length = 128
  const seen = { one: 0n, zero: 0n }
  const all = (1n << BigInt(length)) - 1n
  let now = Date.now() + 200_000
  vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 1
    return now
  })
  for (let n = 0; n < 500; n += 1) {
    const bits = BigInt(`0x${toUuid(newUuidV7()).replaceAll('-', '')}`)
    seen.one |= bits
    seen.zero |= all & ~bits
  }
  // Version, variant, and the counter's first bit, which is clear at the start of a millisecond.
  const fixed = (0xfn << 76n) | (1n << 75n) | (0b11n << 62n)
  const free = ((1n << 80n) - 1n) & ~fixed
  expect([seen.one & free, seen.zero & free]).toEqual([free, free])
})
