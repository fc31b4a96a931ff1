// Prints the vector tables of docs/signing.md and docs/webhooks.md:
//   node test/client/print-vectors.ts
import { createHmac } from 'node:crypto'
import { createSigner } from '../../src/client/private-key.ts'
import { signRequest, stringToSign } from '../../src/client/sign-request.ts'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'

/** RFC 8032, section 7.1, test 1. Public knowledge: it must never sign anything real. */
export const testKey = {
  id: 'key_01kah9z4t8e8tbmkq4xmf2d9vr',
  secretHex: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  publicHex: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
}

const idempotencyKey = '7f1f9a2e-3c44-4c1b-9d0a-5e8a4f6b2c11'
const borrower = JSON.stringify({
  type: 'individual',
  kyc_attested: true,
  residency_country: 'US',
  residency_state: 'CA',
})
const signatures = '/v1/borrowers/bor_01kah9z4t8e8tbmkq4xmf2d9vr/signatures'
const webhook = '/v1/webhooks/whk_01kah9z4t8e8tbmkq4xmf2d9vr'

const signingCases = [
  { name: 'GET', method: 'GET', target: '/v1/documents' },
  {
    name: 'GET with a query, escapes left as they are',
    method: 'GET',
    target: '/v1/events?type=borrower.eligible&from=a%2Fb%3D&limit=10',
  },
  {
    name: 'POST with a body',
    method: 'POST',
    target: '/v1/borrowers',
    idempotencyKey,
    body: borrower,
  },
  {
    name: 'POST with a body beyond ASCII (UTF-8)',
    method: 'POST',
    target: signatures,
    idempotencyKey,
    body: '{"full_name":"Zoë Müller"}',
  },
  {
    name: 'POST without a body',
    method: 'POST',
    target: '/v1/webhooks/secrets',
    idempotencyKey,
  },
  { name: 'DELETE', method: 'DELETE', target: webhook, idempotencyKey },
]

export async function renderSigningTable(): Promise<string> {
  const sign = await createSigner(Buffer.from(testKey.secretHex, 'hex'))
  const rows = [
    [
      'Case',
      'Timestamp',
      'Method',
      'Target',
      'Idempotency-Key',
      'Body',
      'String to sign',
      'X-SVC-Signature',
    ],
  ]
  for (const { name, ...request } of signingCases) {
    const parts = { keyId: testKey.id, timestamp: '1795000000', ...request }
    const { 'X-SVC-Signature': signature = '' } = await signRequest(parts, sign)
    rows.push([
      name,
      code(parts.timestamp),
      code(parts.method),
      code(parts.target),
      code(parts.idempotencyKey),
      code(parts.body),
      code((await stringToSign(parts)).replaceAll('\n', '\\n')),
      code(signature),
    ])
  }
  return renderTable(rows)
}

const secret = `whsec_${Buffer.from('an example of a signing secret..').toString('base64')}`
const otherSecret = `whsec_${Buffer.from('some other tenant signing secret').toString('base64')}`
const sentAt = 1795000000
const rawBody = JSON.stringify({
  id: 'evt_01kah9z4t8e8tbmkq4xmf2d9vr',
  type: 'borrower.eligible',
  data: { borrower_id: 'bor_01kah9z4t8e8tbmkq4xmf2d9vr' },
})
const spacedBody = JSON.stringify(JSON.parse(rawBody), null, 1).replaceAll(/\n */g, ' ')
const signature = hmac(secret, `${sentAt}.${rawBody}`)

const webhookCases = [
  { name: 'Valid', now: sentAt + 2 },
  { name: 'Exactly 300 s old', now: sentAt + 300 },
  { name: 'Stale, 301 s old', now: sentAt + 301 },
  { name: 'Exactly 300 s ahead', now: sentAt - 300 },
  { name: 'From the future, 301 s ahead', now: sentAt - 301 },
  { name: 'Tampered body', rawBody: rawBody.replace('bor_01k', 'bor_02k') },
  { name: 'Re-serialised body', rawBody: spacedBody },
  { name: 'Another timestamp, to look fresh', timestamp: `${sentAt + 300}`, now: sentAt + 301 },
  { name: 'Wrong secret', secret: otherSecret },
  { name: 'Upper-case hex', signature: `sha256=${signature.toUpperCase()}` },
  { name: 'Hex without `sha256=`', signature },
  { name: 'Cut short', signature: `sha256=${signature.slice(0, 32)}` },
  { name: 'Unsigned', signature: '' },
  { name: 'Timestamp in milliseconds', timestamp: `${sentAt}000` },
  {
    name: 'Signed, but not JSON',
    rawBody: 'hello',
    signature: `sha256=${hmac(secret, `${sentAt}.hello`)}`,
  },
]

/** What the table of delivery vectors shows of each case. */
export const WEBHOOK_COLUMNS = [
  'Case',
  'Secret',
  'X-SVC-Webhook-Timestamp',
  'X-SVC-Webhook-Signature',
  'Raw body',
  'Now',
  'Verdict',
] as const

export function renderWebhookTable(): string {
  const rows: string[][] = [[...WEBHOOK_COLUMNS]]
  for (const { name, ...changes } of webhookCases) {
    const valid = { secret, timestamp: `${sentAt}`, signature: `sha256=${signature}`, rawBody }
    const delivery = { ...valid, now: sentAt + 2, ...changes }
    const verdict = verifyWebhook({
      ...delivery,
      headers: {
        'X-SVC-Webhook-Signature': delivery.signature,
        'X-SVC-Webhook-Timestamp': delivery.timestamp,
      },
      now: new Date(delivery.now * 1000),
    })
    rows.push([
      name,
      code(delivery.secret),
      code(delivery.timestamp),
      code(delivery.signature),
      code(delivery.rawBody),
      code(`${delivery.now}`),
      code(verdict.ok ? 'ok' : verdict.reason),
    ])
  }
  return renderTable(rows)
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** An empty cell is an empty value. */
function code(value = ''): string {
  return value === '' ? '' : `\`${value}\``
}

function renderTable([header = [], ...rows]: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  return lines.join('\n')
}

if (import.meta.main) {
  console.log(await renderSigningTable())
  console.log()
  console.log(renderWebhookTable())
}
