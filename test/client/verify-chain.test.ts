import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { ChainedEvent } from '../../src/client/resources/resources.ts'
import { deliveredBody, verifyEventChain } from '../../src/client/verify-chain.ts'
import { apiForFile } from '../support/api/api.ts'
import { addEvents } from '../support/deliveries/deliveries.ts'

const api = apiForFile()
/** Seven events of a tenant, as the log shows them. */
let events: ChainedEvent[]
let texts: string[]
beforeAll(async () => {
  const tenant = await api.addTenant()
  await addEvents(api.db, tenant.id, 3)
  await addEvents(api.db, tenant.id, 4)
  const answer = await tenant.send('GET', '/v1/events')
  events = answer.json().items
  texts = answer.text
    .slice('{"items":['.length, answer.text.indexOf('],"next'))
    .split(/,(?=\{"id":"evt_)/)
})

const changed = (at: number, change: Partial<Record<keyof ChainedEvent, unknown>>) =>
  events.map((event, index) => (index === at ? ({ ...event, ...change } as ChainedEvent) : event))

const endOf = (event: ChainedEvent | undefined) => ({
  sequence: event?.sequence ?? 0,
  hash: event?.hash ?? '',
})

test('the hashes of the log are those of its definition, from the texts alone', () => {
  let previous = Buffer.alloc(32)
  const hashes = texts.map((text, at) => {
    const body = `${text.slice(0, text.indexOf(',"previous_hash"'))}}`
    const sequence = Buffer.alloc(8)
    sequence.writeBigUInt64BE(BigInt(at + 1))
    const digest = createHash('sha256').update(body).digest()
    previous = createHash('sha256')
      .update(Buffer.concat([previous, sequence, digest]))
      .digest()
    return previous.toString('hex')
  })
  expect(hashes).toHaveLength(7)
  expect(events.map(({ hash }) => hash)).toEqual(hashes)
  expect(events[0]?.previous_hash).toBe('0'.repeat(64))
})

test('a log is verified whole, in ranges, and from wherever one begins', () => {
  const end = endOf(events[6])
  expect(verifyEventChain(events)).toEqual({ ok: true, end })
  const first = verifyEventChain(events.slice(0, 3))
  expect(first).toEqual({ ok: true, end: endOf(events[2]) })
  expect(verifyEventChain(events.slice(3), endOf(events[2]))).toEqual({ ok: true, end })
  expect(verifyEventChain(events.slice(4))).toEqual({ ok: true, end })
  expect(verifyEventChain([], end)).toEqual({ ok: true, end })
  expect(verifyEventChain([])).toEqual({ ok: true, end: undefined })
})

test('the body of an event is that of its delivery, also when read with its deliveries', () => {
  const [event] = events
  const text = texts[0] ?? ''
  const body = `${text.slice(0, text.indexOf(',"previous_hash"'))}}`
  if (!event) throw new Error('there are events')
  expect(deliveredBody(event)).toBe(body)
  const shown: ChainedEvent & { deliveries: unknown[] } = { ...event, deliveries: [] }
  expect(deliveredBody(shown)).toBe(body)
})

test.each([
  ['a changed body', () => changed(2, { data: { borrower_id: 'bor_x' } }), 3, 'hash_mismatch'],
  ['a changed hash', () => changed(6, { hash: '0'.repeat(64) }), 7, 'hash_mismatch'],
  [
    'another start',
    () => changed(0, { previous_hash: '1'.repeat(64) }),
    1,
    'previous_hash_mismatch',
  ],
  ['a changed event with its hash', () => changed(2, { hash: 'f'.repeat(64) }), 3, 'hash_mismatch'],
  ['a missing event', () => events.toSpliced(3, 1), 5, 'sequence_broken'],
  ['an event twice', () => events.toSpliced(3, 0, events[2] as ChainedEvent), 3, 'sequence_broken'],
  ['two that changed places', () => [events[1], events[0]] as ChainedEvent[], 1, 'sequence_broken'],
] as const)('%s is found in a chain, at its number', (_what, range, sequence, reason) => {
  expect(verifyEventChain(range())).toEqual({ ok: false, sequence, reason })
})

test('a range that follows another end than the one kept is refused', () => {
  const kept = { ...endOf(events[2]), hash: 'f'.repeat(64) }
  expect(verifyEventChain(events.slice(3), kept)).toEqual({
    ok: false,
    sequence: 4,
    reason: 'previous_hash_mismatch',
  })
  expect(verifyEventChain(events.slice(4), endOf(events[2]))).toEqual({
    ok: false,
    sequence: 5,
    reason: 'sequence_broken',
  })
})
