import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { apiForFile, startTestApi } from '../support/api/api.ts'

type Credentials = { keyId: string; privateKey: CryptoKey }
type Page = {
  importPrivateKey(pem: string): Promise<CryptoKey>
  readKeyFile(name: string, text: string): { keyId: string; pem: string }
  createSigningFetch(options: {
    origin: string
    credentials: () => Credentials | undefined
    send?: typeof fetch
    onSigned?: (signed: { method: string; target: string; text: string; signature: string }) => void
  }): typeof fetch
}

const api = apiForFile()
let page: Page
let credentials: Credentials
beforeAll(async () => {
  // The very text that browsers are given.
  const script = await (await fetch(`${api.baseUrl}/docs/signing-fetch.js`)).text()
  page = await import(`data:text/javascript,${encodeURIComponent(script)}`)
  const { keyId, privateKeyPem } = api.tenant
  credentials = { keyId, privateKey: await page.importPrivateKey(privateKeyPem) }
})

test('the reference page and all it loads come from the service, and may send to the service alone', async () => {
  const opened = await fetch(`${api.baseUrl}/docs`)
  const policy = opened.headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
  )
  const html = await opened.text()
  const loaded = [...html.matchAll(/<(?:script|link).*(?:src|href)="(\/[^"]+)"/g)].map(
    ([, path]) => path,
  )
  const script = expect.stringMatching(/^\/docs\/scalar\.[0-9a-f]{16}\.js$/)
  expect(loaded).toEqual(['/docs/page.css', script, '/docs/page.js'])
  expect(html).not.toMatch(/(?:src|href)="(?:\w+:)?\/\//)
  for (const path of [...loaded, '/docs/signing-fetch.js', '/openapi.json']) {
    const answer = await fetch(api.baseUrl + path)
    expect([path, answer.status]).toEqual([path, 200])
    await answer.arrayBuffer()
  }
})

test('the reference page links to the guides, the errors and the document', async () => {
  const html = await (await fetch(`${api.baseUrl}/docs`)).text()
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path)
  const expected = ['/docs/guides', '/docs/guides/signing', '/errors', '/openapi.json']
  expect(links).toEqual(expect.arrayContaining(expected))
})

test('the reference page takes the file that the console saves, and a sandbox.json', async () => {
  const { keyId, privateKeyPem: pem } = api.tenant
  const json = JSON.stringify({ base_url: 'x', key_id: keyId, private_key_pem: pem })
  expect(page.readKeyFile('sandbox.json', json)).toEqual({ keyId, pem })
  for (const name of [`${keyId}.pem`, `${keyId} (1).pem`]) {
    expect(page.readKeyFile(name, pem)).toEqual({ keyId, pem })
  }
  expect(() => page.readKeyFile('tenant.key', pem)).toThrow('not named key_….pem')
  expect(() => page.readKeyFile('picture.png', 'PNG')).toThrow('neither a key_….pem nor')
})

const signed = (options: Partial<Parameters<Page['createSigningFetch']>[0]> = {}) =>
  page.createSigningFetch({ origin: api.baseUrl, credentials: () => credentials, ...options })

test('what the reference page sends verifies, with a query and without', async () => {
  for (const target of ['/v1/documents', '/v1/events?limit=1&type=borrower.eligible']) {
    expect((await signed()(api.baseUrl + target)).status).toBe(200)
  }
})

test('what the reference page sends verifies with a body, and has an idempotency key made for it or keeps its own', async () => {
  const body = JSON.stringify({
    type: 'individual',
    kyc_attested: true,
    residency_country: 'DE',
  })
  const post = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
  expect((await signed()(`${api.baseUrl}/v1/borrowers`, post)).status).toBe(201)

  const headers = { ...post.headers, 'Idempotency-Key': crypto.randomUUID() }
  const [first, again] = [
    await signed()(`${api.baseUrl}/v1/borrowers`, { ...post, headers }),
    await signed()(`${api.baseUrl}/v1/borrowers`, { ...post, headers }),
  ]
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await again.text()).toBe(await first.text())
})

test('what the reference page sends verifies without a body where the reference declares one', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const secret = await signed()(`${api.baseUrl}/v1/webhooks/secrets`, { method: 'POST', headers })
  expect(secret.status).toBe(201)
  const id = `whk_${createHash('sha256').digest('hex').slice(0, 26)}`
  const missing = await signed()(`${api.baseUrl}/v1/webhooks/${id}`, { method: 'DELETE' })
  expect(missing.status).toBe(404)
})

test('what the reference page sends shows the string that it signed, as the service shows it where it disagrees', async () => {
  const shown: { method: string; target: string; text: string; signature: string }[] = []
  const onSigned = (one: (typeof shown)[number]) => shown.push(one)
  const other = await page.importPrivateKey(generateKeyPair().privateKeyPem)
  const wrong = () => ({ ...credentials, privateKey: other })
  const body = JSON.stringify({ type: 'individual' })
  const post = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
  const answer = await signed({ onSigned, credentials: wrong })(`${api.baseUrl}/v1/x?y=%2F`, post)
  const { code, string_to_sign } = (await answer.json()) as Record<string, string>
  expect(code).toBe('signature_invalid')
  const signature = expect.stringMatching(/^[\w+/]{86}==$/)
  expect(shown).toEqual([
    { method: 'POST', target: '/v1/x?y=%2F', text: string_to_sign, signature },
  ])
})

test("what the reference page sends is signed by the service's clock once that showed that this one is off", async () => {
  const now = new Date(Date.now() + 3_600_000)
  await using ahead = await startTestApi({ clock: () => now })
  const { keyId, privateKeyPem } = ahead.tenant
  const own = { keyId, privateKey: await page.importPrivateKey(privateKeyPem) }
  const send = signed({ origin: ahead.baseUrl, credentials: () => own })
  expect((await send(`${ahead.baseUrl}/v1/documents`)).status).toBe(200)
})

test('what the reference page sends is signed for no other address, and for none before there is a key', async () => {
  const sent: Request[] = []
  const send: typeof fetch = async (...asked) => {
    sent.push(new Request(...asked))
    return new Response()
  }
  await signed({ send })('https://example.com/v1/documents')
  await signed({ send })(`${api.baseUrl}/openapi.json`)
  await signed({ send, credentials: () => undefined })(`${api.baseUrl}/v1/documents`)
  expect(sent.map(({ headers }) => headers.get('X-SVC-Signature'))).toEqual([null, null, null])
})

test('what the reference page sends cannot leak its key: once read, it signs and is not read again', async () => {
  expect(credentials.privateKey.extractable).toBe(false)
  await expect(page.importPrivateKey('no key')).rejects.toThrow('BEGIN PRIVATE KEY')
})
