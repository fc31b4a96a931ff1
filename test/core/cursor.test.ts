import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCursorCodec } from '../../src/core/cursor.ts'

const OLD = { id: 'k1', bytes: randomBytes(32) }
const NEW = { id: 'k2', bytes: randomBytes(32) }
const cursors = createCursorCodec([OLD])

test('a cursor is accepted by its own list alone and gives back its position', () => {
  const cursor = cursors.encode('12345', 'events/ten_1')
  expect(cursors.decode(cursor, 'events/ten_1')).toBe('12345')
  expect(cursors.decode(cursor, 'events/ten_2')).toBeUndefined()
})

test('a cursor needs no escaping in a query', () => {
  for (let at = 0; at < 100; at += 1) {
    expect(cursors.encode(String(at), 'list')).toMatch(/^[A-Za-z0-9_-]+$/)
  }
})

test('a cursor with a character changed, missing or added is refused', () => {
  const cursor = cursors.encode('12345', 'list')
  for (const at of cursor.split('').keys()) {
    const other = cursor[at] === 'A' ? 'B' : 'A'
    for (const forged of [
      cursor.slice(0, at) + other + cursor.slice(at + 1),
      cursor.slice(0, at),
      `${cursor.slice(0, at)} ${cursor.slice(at)}`,
    ]) {
      expect(cursors.decode(forged, 'list'), forged).toBeUndefined()
    }
  }
  for (const forged of [`${cursor}=`, `${cursor}A`, `${cursor}\n`]) {
    expect(cursors.decode(forged, 'list'), forged).toBeUndefined()
  }
})

test('a cursor of the previous key is still read after a rotation, and no longer without that key', () => {
  const cursor = cursors.encode('12345', 'list')
  expect(createCursorCodec([NEW, OLD]).decode(cursor, 'list')).toBe('12345')
  expect(createCursorCodec([NEW]).decode(cursor, 'list')).toBeUndefined()
})
