import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'

const secret = 'whsec_test'
const sentAt = 1_795_000_000
const now = new Date(sentAt * 1000)
const body = '{"id":"evt_1","type":"borrower.eligible","data":{"name":"Zoë"}}'

test('a delivery is verified whatever the case and the kind of its headers', () => {
  const headers = sign(body)
  const upperCase = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
  for (const variant of [headers, Object.fromEntries(upperCase), new Headers(headers)]) {
    expect(verifyWebhook({ rawBody: body, headers: variant, secret, now })).toEqual({
      ok: true,
      event: JSON.parse(body),
    })
  }
})

test('bytes and text of the same body get the same verdict', () => {
  const rawBody = new TextEncoder().encode(body)
  expect(verifyWebhook({ rawBody, headers: sign(body), secret, now }).ok).toBe(true)
})

test('a changed character anywhere in the signature is refused', () => {
  const headers = sign(body)
  for (let at = 0; at < 64; at += 1) {
    const hex = headers['x-svc-webhook-signature'].slice('sha256='.length)
    const changed = hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1)
    const forged = { ...headers, 'x-svc-webhook-signature': `sha256=${changed}` }
    expect(refusal(body, forged)).toBe('signature_mismatch')
  }
})

test('missing, repeated and malformed headers have different verdicts', () => {
  const headers = sign(body)
  const { 'x-svc-webhook-signature': signature, 'x-svc-webhook-timestamp': timestamp } = headers
  const withSignature = (value: string | string[] | undefined) =>
    refusal(body, { ...headers, 'x-svc-webhook-signature': value })
  const withTimestamp = (value: string | string[] | undefined) =>
    refusal(body, { ...headers, 'x-svc-webhook-timestamp': value })

  expect(withSignature(undefined)).toBe('missing_signature')
  expect(withSignature('')).toBe('missing_signature')
  expect(withSignature([signature, signature])).toBe('malformed_signature')
  expect(withSignature(`${signature}00`)).toBe('malformed_signature')
  expect(withSignature(signature.replace('sha256', 'sha1'))).toBe('malformed_signature')
  expect(withTimestamp(undefined)).toBe('missing_timestamp')
  expect(withTimestamp([timestamp, timestamp])).toBe('malformed_timestamp')
  for (const malformed of ['-1', '1e9', ' ', `${timestamp}.0`, `${timestamp}000`, 'now']) {
    expect(withTimestamp(malformed)).toBe('malformed_timestamp')
  }
})

test('the tolerance of a delivery’s timestamp is inclusive, in both directions, and exact to the millisecond', () => {
  const verdictAt = (offsetMs: number) =>
    refusal(body, sign(body), { now: new Date(sentAt * 1000 + offsetMs) })
  expect(verdictAt(300_000)).toBeUndefined()
  expect(verdictAt(300_001)).toBe('timestamp_out_of_tolerance')
  expect(verdictAt(-300_000)).toBeUndefined()
  expect(verdictAt(-300_001)).toBe('timestamp_out_of_tolerance')
  expect(verdictAt(Number.NaN)).toBe('timestamp_out_of_tolerance')
})

test('a forged delivery is a mismatch even when it is stale too', () => {
  const stale = { now: new Date((sentAt + 900) * 1000), secret: 'whsec_other' }
  expect(refusal(body, sign(body), stale)).toBe('signature_mismatch')
})

test('an authentic body that is no event is refused', () => {
  for (const text of ['', '{', 'hello']) expect(refusal(text, sign(text))).toBe('body_not_json')
  const invalidUtf8 = Uint8Array.from([0x22, 0xff, 0x22])
  expect(refusal(invalidUtf8, sign(invalidUtf8))).toBe('body_not_json')
  for (const text of ['null', '[]', '"a"', '{"type":"a"}', '{"type":1,"data":{}}']) {
    expect(refusal(text, sign(text))).toBe('body_not_an_event')
  }
})

test('an empty secret is a mistake of the receiver and throws', () => {
  expect(() => refusal(body, sign(body, ''), { secret: '' })).toThrow(TypeError)
})

function sign(rawBody: string | Uint8Array, key = secret) {
  const hex = createHmac('sha256', key).update(`${sentAt}.`).update(rawBody).digest('hex')
  return {
    'x-svc-webhook-signature': `sha256=${hex}`,
    'x-svc-webhook-timestamp': `${sentAt}`,
  }
}

function refusal(
  rawBody: string | Uint8Array,
  headers: Record<string, string | string[] | undefined>,
  changes: { now?: Date; secret?: string } = {},
): string | undefined {
  const verdict = verifyWebhook({ rawBody, headers, secret, now, ...changes })
  return verdict.ok ? undefined : verdict.reason
}
