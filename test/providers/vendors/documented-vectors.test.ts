import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  vendorStringToSign,
  verifyVendorMessage,
} from '../../../src/domain/callbacks/vendor-signature.ts'
import { readTable } from '../../client/read-table.ts'
import { readText } from '../../deploy/read-text.ts'

const page = readText('docs/provider-contract.md')
const vectors = readTable(page, [
  'Case',
  'Secret',
  'X-SVC-Timestamp',
  'Method',
  'Target',
  'Idempotency-Key',
  'Raw body',
  'X-SVC-Signature',
  'Verifies',
])

const messageOf = (vector: (typeof vectors)[number]) => ({
  timestamp: vector['X-SVC-Timestamp'],
  method: vector.Method,
  target: vector.Target,
  id: vector['Idempotency-Key'],
  body: vector['Raw body'],
})

test.each(vectors)('message vector "$Case": verifies: $Verifies', (vector) => {
  const isGenuine = verifyVendorMessage(messageOf(vector), vector['X-SVC-Signature'], [
    vector.Secret,
  ])
  expect(isGenuine ? 'yes' : 'no').toBe(vector.Verifies)
})

test('there are message vectors that verify and others that do not', () => {
  const kinds = vectors.map(({ Verifies }) => Verifies)
  expect([...new Set(kinds)].sort()).toEqual(['no', 'yes'])
})

test('the text that is signed is the documented one', () => {
  const [call] = vectors
  if (!call) throw new Error('no vectors')
  const blocks = [...page.matchAll(/```\n(SVC-HMAC-V1\n\d{10}[\s\S]*?)\n```/g)]
  expect(vendorStringToSign(messageOf(call))).toBe(blocks[0]?.[1])
})

test('a message verifies under any of several secrets, in either case of the hex, and under no others', () => {
  const message = { timestamp: '1795176000', method: 'POST', target: '/a', id: 'i', body: 'b' }
  const hash = createHash('sha256').update('b').digest('hex')
  const text = `SVC-HMAC-V1\n1795176000\nPOST\n/a\ni\n${hash}`
  const hex = createHmac('sha256', 'second').update(text).digest('hex')
  expect(verifyVendorMessage(message, `sha256=${hex}`, ['first', 'second'])).toBe(true)
  expect(verifyVendorMessage(message, `sha256=${hex.toUpperCase()}`, ['second'])).toBe(true)
  for (const signature of [hex, `sha256=${hex}00`, `sha256=${hex.slice(2)}`, 'sha256=', '']) {
    expect(verifyVendorMessage(message, signature, ['first', 'second'])).toBe(false)
  }
  expect(verifyVendorMessage(message, `sha256=${hex}`, ['first'])).toBe(false)
  expect(verifyVendorMessage(message, `sha256=${hex}`, [])).toBe(false)
})
