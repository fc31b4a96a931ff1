import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { openBrowser, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import { createTemporaryFolder } from '../../support/process/temporary-folder.ts'

const SCRIPT = 'export const answer = 42\n'

let owned: AsyncDisposableStack
let api: TestApi
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const folder = owned.use(createTemporaryFolder())
  const assets = join(folder.path, 'assets')
  mkdirSync(assets)
  writeFileSync(
    join(folder.path, 'index.html'),
    '<!doctype html><meta name="nonce" content="%CSP_NONCE%"><title>Console</title>',
  )
  writeFileSync(join(assets, 'app-1a2b.js'), SCRIPT)
  writeFileSync(join(assets, 'app-1a2b.js.br'), brotliCompressSync(SCRIPT))
  const env = { PUBLIC_URL: 'https://api.example.com' }
  api = owned.use(await startTestApi({ env, constants: { consoleFolder: folder.path } }))
})
afterAll(() => owned.disposeAsync())

test.each<[string, { origin?: string | null; headers?: Record<string, string> }]>([
  ['of another site', { origin: 'https://evil.example' }],
  ['of a sibling', { origin: 'https://www.example.com' }],
  ['of the same host over plain HTTP', { origin: 'http://api.example.com' }],
  ['without an origin', { origin: null }],
  ['of a page without one', { origin: 'null' }],
  ['that the browser reports as cross-site', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ['that the browser reports as of a sibling', { headers: { 'sec-fetch-site': 'same-site' } }],
])('a change %s is refused and changes nothing', async (_name, given) => {
  const browser = await signIn(api)
  const before = await browser.send('GET', '/console/v1/webhooks')
  const body = { url: 'http://127.0.0.1:9/' }
  for (const [method, path, sent] of [
    ['POST', '/console/v1/webhooks', { body }],
    ['DELETE', '/console/api/session', {}],
    ['DELETE', '/console/api/sessions', {}],
  ] as const) {
    expectProblem(await browser.send(method, path, { ...sent, ...given }), 403, 'cross_origin')
  }
  expect((await browser.send('GET', '/console/v1/webhooks')).json()).toEqual(before.json())
})

test('a sign-in from another site is refused, so that no one is signed in unawares', async () => {
  const origin = 'https://evil.example'
  const given = { body: { token: 'x' }, origin }
  const answer = await openBrowser(api).send('POST', '/console/api/session/link', given)
  expectProblem(answer, 403, 'cross_origin')
})

test('a change from the origin of the console is accepted', async () => {
  const browser = await signIn(api)
  const headers = { 'sec-fetch-site': 'same-origin' }
  const ended = await browser.send('DELETE', '/console/api/session', { headers })
  expect(ended.status).toBe(204)
})

test('a read that another site starts is refused', async () => {
  const browser = await signIn(api)
  const headers = { 'sec-fetch-site': 'cross-site' }
  expectProblem(await browser.send('GET', '/console/v1/webhooks', { headers }), 403, 'cross_origin')
})

test('a form or plain text is no body', async () => {
  const browser = await signIn(api)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const given = { body: { token: 'x' }, headers: { 'content-type': type } }
    for (const path of ['/console/api/keys', '/console/api/session/link']) {
      expectProblem(await browser.send('POST', path, given), 415, 'unsupported_media_type')
    }
  }
})

const under = (host: string) => ({ headers: { host, 'sec-fetch-site': 'same-origin' } })

test.each(['evil.example', 'api.example.com.evil.example', 'api.example.com:8443', '127.0.0.1'])(
  'under the host %s nothing of the console is served',
  async (host) => {
    const browser = await signIn(api)
    for (const path of ['/console', '/console/assets/app-1a2b.js', '/console/v1/webhooks']) {
      const problem = expectProblem(
        await browser.send('GET', path, under(host)),
        403,
        'cross_origin',
      )
      expect(problem.detail).toBe('The console is at https://api.example.com, not under this Host.')
    }
    const given = { ...under(host), origin: `https://${host}` }
    const signedOut = await browser.send('DELETE', '/console/api/session', given)
    expectProblem(signedOut, 403, 'cross_origin')
    expect((await browser.send('GET', '/console/api/session')).status).toBe(200)
  },
)

test.each(['api.example.com', 'API.example.com', 'api.example.com:443'])(
  'the host %s is the console',
  async (host) => {
    const browser = await signIn(api)
    expect((await browser.send('GET', '/console/api/session', under(host))).status).toBe(200)
  },
)

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'a stack on one machine answers under %s and its port alone',
  async (name) => {
    await using local = await startTestApi({ env: { CONSOLE: 'local', PORT: '8123' } })
    const browser = await signIn(local)
    const end = (port: number) =>
      browser.send('DELETE', '/console/api/session', {
        ...under(`${name}:${port}`),
        origin: `http://${name}:${port}`,
      })
    expectProblem(await end(8124), 403, 'cross_origin')
    expect((await end(8123)).status).toBe(204)
  },
)

describe('what another site makes a browser send', () => {
  test('takes no token of the person: they sign in and go on', async () => {
    const limits = 'console_sign_in=0.001/2,unverified=0.001/2,console=0.001/1'
    await using limited = await startTestApi({ env: { RATE_LIMITS: limits } })
    const browser = await signIn(limited)
    const foreign = { origin: 'https://evil.example', headers: { 'sec-fetch-site': 'cross-site' } }
    const read = { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } }
    for (let sent = 0; sent < 4; sent += 1) {
      for (const [method, path, given] of [
        ['POST', '/console/api/session/link', foreign],
        ['POST', '/console/v1/webhooks', foreign],
        ['GET', '/console/v1/webhooks', read],
        ['GET', '/console/assets/app.js', read],
        ['GET', '/console/nothing', { headers: { host: 'evil.example' } }],
      ] as const) {
        expectProblem(await browser.send(method, path, given), 403, 'cross_origin')
      }
    }
    const options = await openBrowser(limited).send('POST', '/console/api/session/passkey/options')
    expect(options.status).toBe(200)
    expect(options.headers['ratelimit-remaining']).toBe('1')
    expect((await browser.send('GET', '/console/api/session')).status).toBe(200)
    const unsigned = await limited.app.inject('/v1/documents')
    expect(unsigned.headers['ratelimit-remaining']).toBe('1')
  })

  test('another site may lead to a page of the console, and frames or loads none', async () => {
    const led = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const open = (destination: string) =>
      openBrowser(api).send('GET', '/console/keys', {
        headers: { ...led, 'sec-fetch-dest': destination },
      })
    expect((await open('document')).status).toBe(200)
    expectProblem(await open('iframe'), 403, 'cross_origin')
  })
})

test.each([
  ['GET', '/console'],
  ['GET', '/console/'],
  ['GET', '/console/keys/key_1'],
  ['GET', '/console/assets/app-1a2b.js'],
  ['GET', '/console/assets/missing.js'],
  ['GET', '/console/api/session'],
  ['GET', '/console/api/nothing'],
  ['GET', '/console/v1/webhooks'],
  ['GET', '/console/openapi.json'],
  ['POST', '/console/api/session/link'],
  ['TRACE', '/console/api/sign-in'],
])('%s %s can be framed by no page and runs no inline script', async (method, path) => {
  const { headers } = await openBrowser(api).send(method, path)
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).toContain("base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe-(inline|eval)/)
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
})

test('what has data is stored by no cache', async () => {
  const browser = await signIn(api)
  for (const path of ['/console/api/session', '/console/v1/webhooks', '/console']) {
    const { headers } = await browser.send('GET', path)
    expect(headers['cache-control']).toBe('no-store')
  }
})

test('every path of a page is the application, with a nonce of its own in page and policy', async () => {
  const nonces = []
  for (const path of ['/console', '/console/', '/console/facilities/fac_1?tab=draws']) {
    const answer = await openBrowser(api).send('GET', path)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    const [, nonce = ''] = /content="([^"]{24})"/.exec(answer.text) ?? []
    expect(answer.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    nonces.push(nonce)
  }
  expect(new Set(nonces).size).toBe(3)
})

test('a file with a hashed name is kept for good, and sent compressed as it was built', async () => {
  const answer = await api.app.inject({
    url: '/console/assets/app-1a2b.js',
    headers: { host: 'api.example.com', 'accept-encoding': 'gzip, br' },
  })
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
  })
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(SCRIPT)
  const plain = await api.app.inject({
    url: '/console/assets/app-1a2b.js',
    headers: { host: 'api.example.com' },
  })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.payload).toBe(SCRIPT)
})

test.each(['missing.js', '../index.html', '..%2findex.html', 'app-1a2b.js.br'])(
  'assets/%s is not found',
  async (name) => {
    const answer = await openBrowser(api).send('GET', `/console/assets/${name}`)
    expect(answer.text).not.toContain('nonce"')
    if (!answer.text.includes('<title>')) expectProblem(answer, 404, 'not_found')
  },
)

test('a console that is not built says so, and is served once it is, and once it is built again', async () => {
  using folder = createTemporaryFolder()
  const consoleFolder = join(folder.path, 'console')
  await using unbuilt = await startTestApi({ constants: { consoleFolder } })
  const browser = openBrowser(unbuilt)
  const before = await browser.send('GET', '/console/loans')
  expect(before).toMatchObject({ status: 503, headers: { refresh: '2', 'retry-after': '2' } })
  expect(before.text).toContain(`The console is not built yet: ${consoleFolder} has no index.html`)
  for (const name of ['one', 'two']) {
    mkdirSync(join(consoleFolder, 'assets'), { recursive: true })
    writeFileSync(join(consoleFolder, 'assets', `${name}.js`), `// ${name}`)
    writeFileSync(join(consoleFolder, 'index.html'), `<title>${name}</title>`)
    // Also by a process that has not sent the page.
    const asset = await browser.send('GET', `/console/assets/${name}.js`)
    expect(asset).toMatchObject({ status: 200, text: `// ${name}` })
    const page = await browser.send('GET', '/console/loans')
    expect(page).toMatchObject({ status: 200, text: `<title>${name}</title>` })
  }
  expectProblem(await browser.send('GET', '/console/assets/three.js'), 404, 'not_found')
})

test('where it is off, no path of the console exists', async () => {
  await using off = await startTestApi({ env: { CONSOLE: 'off' } })
  for (const path of ['/console', '/console/api/session', '/console/v1/webhooks']) {
    const answer = await off.app.inject(path)
    expect(answer.json()).toMatchObject({ code: 'not_found' })
  }
})

test.each(['/console/api/nothing', '/console/api/session/nothing', '/console/v1/nothing'])(
  'the unknown path %s is not found, and is no page of the application',
  async (path) => {
    const browser = await signIn(api)
    for (const method of ['GET', 'POST', 'DELETE']) {
      expectProblem(await browser.send(method, path), 404, 'not_found')
      expectProblem(await openBrowser(api).send(method, path), 401, 'session_required')
    }
  },
)

test('the document of the console describes its own routes alone', async () => {
  const { paths } = (await openBrowser(api).send('GET', '/console/openapi.json')).json()
  const names = Object.keys(paths)
  expect(names).toContain('/console/api/session')
  expect(names.filter((path) => !path.startsWith('/console/api/'))).toEqual([])
})
