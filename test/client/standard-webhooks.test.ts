import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook, type WebhookRefusal } from '../../src/client/verify-webhook.ts'
import { createAddressPolicy } from '../../src/domain/webhooks/address-policy.ts'
import { createWebhookSender } from '../../src/providers/webhooks/webhook-sender.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'

const secret = newSecret()
const now = new Date()
const body = '{"id":"evt_1","type":"borrower.eligible","data":{"borrower_id":"bor_Zoë"}}'

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

function sign(rawBody = body, { id = 'evt_1', at = now, key = secret } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(key).sign(id, at, rawBody),
  }
}

function refusal(headers: Record<string, string>, rawBody = body): WebhookRefusal | undefined {
  const verdict = verifyWebhook({ rawBody, headers, secret, now })
  return verdict.ok ? undefined : verdict.reason
}

test('the ready-made verifier of Standard Webhooks accepts a delivery, and refuses a changed one', async () => {
  await using endpoint = await startEndpoint()
  const policy = createAddressPolicy(['127.0.0.0/8'])
  const sender = createWebhookSender({ policy, resolve: async () => [] })
  const request = { url: endpoint.url, eventId: 'evt_1', attempt: 1, secret }
  await sender.send({ ...request, body: Buffer.from(body) }, now)
  await sender.close()
  const [seen] = endpoint.seen
  const headers = Object.fromEntries(
    Object.entries(seen?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const verifier = new Webhook(secret)
  expect(verifier.verify(seen?.rawBody ?? '', headers)).toEqual(JSON.parse(body))
  expect(() => verifier.verify(body.replace('bor_Z', 'bor_X'), headers)).toThrow('No matching')
  expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow('No matching')
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching')
})

test('the client verifies what a Standard Webhooks library has signed', () => {
  expect(verifyWebhook({ rawBody: body, headers: sign(), secret, now })).toEqual({
    ok: true,
    event: JSON.parse(body),
  })
  const bytes = new TextEncoder().encode(body)
  expect(verifyWebhook({ rawBody: bytes, headers: new Headers(sign()), secret, now }).ok).toBe(true)
})

test('of several Standard Webhooks signatures one is enough', () => {
  const ours = sign()
  const other = sign(body, { key: newSecret() })['webhook-signature']
  const several = (signatures: string) => refusal({ ...ours, 'webhook-signature': signatures })
  expect(several(`${other} ${ours['webhook-signature']}`)).toBeUndefined()
  expect(several(`v1a,${'A'.repeat(86)}== ${ours['webhook-signature']}`)).toBeUndefined()
  expect(several(`${other} ${other}`)).toBe('signature_mismatch')
})

test('each fault of a Standard Webhooks delivery has its verdict', () => {
  const headers = sign()
  const { 'webhook-id': _id, ...withoutId } = headers
  const { 'webhook-timestamp': _timestamp, ...withoutTimestamp } = headers
  expect(refusal(withoutId)).toBe('missing_id')
  expect(refusal(withoutTimestamp)).toBe('missing_timestamp')
  expect(refusal({ ...headers, 'webhook-timestamp': 'now' })).toBe('malformed_timestamp')
  expect(refusal({ ...headers, 'webhook-signature': 'v1,short' })).toBe('malformed_signature')
  expect(refusal({ ...headers, 'webhook-id': 'evt_2' })).toBe('signature_mismatch')
  expect(refusal(headers, `${body} `)).toBe('signature_mismatch')
  const late = new Date(now.getTime() - 301_000)
  expect(refusal(sign(body, { at: late }))).toBe('timestamp_out_of_tolerance')
  expect(refusal(sign('hello'), 'hello')).toBe('body_not_json')
})

test('where both signatures are there, ours decides', () => {
  const both = { ...sign(), 'x-svc-webhook-timestamp': sign()['webhook-timestamp'] }
  const forged = { ...both, 'x-svc-webhook-signature': `sha256=${'0'.repeat(64)}` }
  expect(refusal(forged)).toBe('signature_mismatch')
})

test('a secret in another form never verifies a Standard Webhooks signature, and does not throw', () => {
  for (const other of ['whsec_', 'whsec_%%%', secret.slice('whsec_'.length)]) {
    const verdict = verifyWebhook({ rawBody: body, headers: sign(), secret: other, now })
    expect(verdict).toEqual({ ok: false, reason: 'signature_mismatch' })
  }
})
