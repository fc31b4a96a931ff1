import { expect, test } from 'vitest'
import { signDelivery, signStandardWebhook } from '../../../src/domain/webhooks/sign-delivery.ts'

// Computed with: printf '%s' "$timestamp.$body" | openssl dgst -sha256 -hmac "$secret"
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const body = '{"type":"borrower.eligible","data":{"borrower_id":"bor_1"}}'

test('the signature is the one openssl computes over timestamp, dot and body', () => {
  expect(signDelivery(secret, 1_700_000_000, body)).toBe(
    'sha256=7d3ca91ff427ebe70f9479330888bfb2b5d2d6353bf46a72f9b8b2d4147ffac9',
  )
})

test('an empty body and a body that is not ASCII are signed byte for byte', () => {
  expect(signDelivery(secret, 1_700_000_000, '')).toBe(
    'sha256=ea17a60430424971c8dae5c23b406afba30dfd05a86487ddc86cf5c5439da03e',
  )
  const text = '{"label":"Zürich 💶"}'
  expect(signDelivery(secret, 1_700_000_000, text)).toBe(
    'sha256=0c8865c6b8337c809ef28027f84c85b36213260906f4c914fd5c867f629459b5',
  )
  expect(signDelivery(secret, 1_700_000_000, Buffer.from(text))).toBe(
    'sha256=0c8865c6b8337c809ef28027f84c85b36213260906f4c914fd5c867f629459b5',
  )
})

test('any change of secret, timestamp or body changes the signature', () => {
  const all = [
    signDelivery(secret, 1_700_000_000, body),
    signDelivery(secret.slice('whsec_'.length), 1_700_000_000, body),
    signDelivery(secret, 1_700_000_001, body),
    signDelivery(secret, 1_700_000_000, `${body} `),
  ]
  expect(new Set(all).size).toBe(all.length)
})

// Computed with: printf '%s' "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt hexkey:<the
// decoded part of the secret> -binary | base64
test('the Standard Webhooks signature is the one openssl computes under the decoded secret', () => {
  const delivery = { eventId: 'evt_1', timestampSeconds: 1_700_000_000 }
  expect(signStandardWebhook(secret, delivery, body)).toBe(
    'v1,cO4xa1qTjiCqjbxLamiWPRSwRVfDQ/Xr3vP6u9QNwvo=',
  )
  expect(signStandardWebhook(secret, delivery, Buffer.from('{"label":"Zürich 💶"}'))).toBe(
    'v1,aZwqGrW+nTE2ebcxvtVHLkWcil4Lu77gyp8uGP9WEOM=',
  )
})
