import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getPublicKeyAsync, signAsync, verifyAsync } from '@noble/ed25519'
import { describe, expect, test } from 'vitest'
import { createSigner } from '../../src/client/private-key.ts'
import { signRequest, stringToSign } from '../../src/client/sign-request.ts'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import * as service from '../../src/domain/auth/verify-signature.ts'
import { signDelivery, signStandardWebhook } from '../../src/domain/webhooks/sign-delivery.ts'
import {
  renderSigningTable,
  renderWebhookTable,
  testKey,
  WEBHOOK_COLUMNS,
} from './print-vectors.ts'
import { readTable } from './read-table.ts'

const signingPage = readDoc('signing.md')
const webhooksPage = readDoc('webhooks.md')

describe('the request vectors in docs/signing.md', () => {
  const rows = readTable(signingPage, [
    'Case',
    'Timestamp',
    'Method',
    'Target',
    'Idempotency-Key',
    'Body',
    'String to sign',
    'X-SVC-Signature',
  ])
  const [privatePem = ''] = /-----BEGIN PRIVATE KEY-----[^`]+/.exec(signingPage) ?? []
  const [publicPem = ''] = /-----BEGIN PUBLIC KEY-----[^`]+/.exec(signingPage) ?? []
  const secret = Buffer.from(testKey.secretHex, 'hex')

  test('the request vectors in docs/signing.md are what the generator prints', async () => {
    expect(signingPage).toContain(await renderSigningTable())
  })

  test('the request vectors in docs/signing.md use the key of RFC 8032, test 1', async () => {
    const publicKey = Buffer.from(await getPublicKeyAsync(secret))
    expect(publicKey.toString('hex')).toBe(testKey.publicHex)
    const printed = createPublicKey(publicPem).export({ format: 'der', type: 'spki' })
    expect(printed.subarray(-32).toString('hex')).toBe(testKey.publicHex)
  })

  test.each(rows)(
    'request vector "$Case": the signer makes the documented string and signature',
    async (row) => {
      const parts = {
        keyId: testKey.id,
        timestamp: row.Timestamp,
        method: row.Method,
        target: row.Target,
        idempotencyKey: row['Idempotency-Key'] || undefined,
        body: row.Body || undefined,
      }
      expect(await stringToSign(parts)).toBe(readString(row['String to sign']))
      const headers = await signRequest(parts, await createSigner(privatePem))
      expect(headers['X-SVC-Signature']).toBe(row['X-SVC-Signature'])
    },
  )

  test.each(rows)(
    'request vector "$Case": noble and node:crypto agree with the documented signature',
    async (row) => {
      const message = Buffer.from(readString(row['String to sign']))
      const signature = Buffer.from(row['X-SVC-Signature'], 'base64')
      const publicKey = Buffer.from(testKey.publicHex, 'hex')
      expect(Buffer.from(await signAsync(message, secret))).toEqual(signature)
      expect(await verifyAsync(signature, message, publicKey, { zip215: false })).toBe(true)
      expect(verify(null, message, publicPem, signature)).toBe(true)
    },
  )

  test.each(rows)('request vector "$Case": the service accepts the documented signature', (row) => {
    const request = {
      keyId: testKey.id,
      timestamp: row.Timestamp,
      method: row.Method,
      target: row.Target,
      idempotencyKey: row['Idempotency-Key'],
      bodyHash: createHash('sha256').update(row.Body).digest('hex'),
    }
    const text = service.stringToSign(request)
    expect(text).toBe(readString(row['String to sign']))
    const signature = service.parseSignature(row['X-SVC-Signature'])
    const publicKey = Buffer.from(testKey.publicHex, 'hex')
    expect(signature && service.verifySignature(text, signature, publicKey)).toBe(true)
  })

  test('the request vectors in docs/signing.md cover GET, a query, POST with and without a body, and DELETE', () => {
    expect(rows.map((row) => row.Method)).toEqual(['GET', 'GET', 'POST', 'POST', 'POST', 'DELETE'])
  })
})

describe('the delivery vectors in docs/webhooks.md', () => {
  const rows = readTable(webhooksPage, WEBHOOK_COLUMNS)

  test('the delivery vectors in docs/webhooks.md are what the generator prints', () => {
    expect(webhooksPage).toContain(renderWebhookTable())
  })

  test.each(rows)('delivery vector "$Case": the verifier returns $Verdict', (row) => {
    const verdict = verifyWebhook({
      rawBody: row['Raw body'],
      headers: {
        'X-SVC-Webhook-Timestamp': row['X-SVC-Webhook-Timestamp'],
        'X-SVC-Webhook-Signature': row['X-SVC-Webhook-Signature'],
      },
      secret: row.Secret,
      now: new Date(Number(row.Now) * 1000),
    })
    expect(verdict.ok ? 'ok' : verdict.reason).toBe(row.Verdict)
  })

  test.each(rows)(
    'delivery vector "$Case": the service makes this signature exactly where the verdict is authentic',
    (row) => {
      const timestamp = Number(row['X-SVC-Webhook-Timestamp'])
      const expected = signDelivery(row.Secret, timestamp, row['Raw body'])
      const authentic = ['ok', 'timestamp_out_of_tolerance', 'body_not_json'].includes(row.Verdict)
      expect(row['X-SVC-Webhook-Signature'].toLowerCase() === expected).toBe(authentic)
    },
  )

  test('the documented Standard Webhooks signature is that of the first vector', () => {
    const [, id = '', timestamp = '', signature = ''] =
      /`webhook-id` `(\S+)`, `webhook-timestamp` `(\d+)` and `webhook-signature` `(\S+)`/.exec(
        webhooksPage,
      ) ?? []
    const [valid] = rows
    const delivery = { eventId: id, timestampSeconds: Number(timestamp) }
    expect(JSON.parse(valid?.['Raw body'] ?? '')).toMatchObject({ id })
    expect(valid?.['X-SVC-Webhook-Timestamp']).toBe(timestamp)
    expect(signStandardWebhook(valid?.Secret ?? '', delivery, valid?.['Raw body'] ?? '')).toBe(
      signature,
    )
  })
})

test.each([
  ['signed-request.ts', signingPage],
  ['webhook-receiver.ts', webhooksPage],
])('the documentation leads to %s', (file, page) => {
  expect(page).toContain(`](examples/${file})`)
})

function readDoc(path: string): string {
  return readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
}

/** A table cell shows a line feed as `\n`. */
function readString(cell: string): string {
  return cell.replaceAll('\\n', '\n')
}
