import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { LIMIT_CLASSES } from '../../src/core/limits/limit-classes.ts'
import { withoutTrailingSlash } from '../../src/http/limits/admit.ts'
import { GUIDES, guideFile } from '../../src/http/pages/guides.ts'
import { createStaticFile } from '../../src/http/static-file.ts'
import { readTable } from '../client/read-table.ts'
import { apiForFile } from '../support/api/api.ts'
import { crawl, leadsToHeading } from '../support/api/crawl-pages.ts'
import { expectProblem } from '../support/api/expect-problem.ts'

const api = apiForFile({ env: { PUBLIC_URL: 'https://lender.example' } })

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'

let asked = 0

/** From an address of its own each time: the pages have a limit by source. */
function get(path: string, headers: Record<string, string> = {}, method: Method = 'GET') {
  asked += 1
  const remoteAddress = `127.1.${Math.floor(asked / 250)}.${(asked % 250) + 1}`
  return api.app.inject({ method, url: path, headers, remoteAddress })
}

test('every page leads only to addresses that the service answers, and to headings that are there', async () => {
  const pages = await crawl(get, ['/', '/docs/guides/search?q=webhook'])
  const paths = [...pages.keys()]
  const texts = [
    ...GUIDES.map(({ name }) => `/docs/guides/${name}`),
    ...ERROR_CODES.map((code) => `/errors/${code}`),
  ]
  expect(paths).toEqual(expect.arrayContaining(texts.flatMap((path) => [path, `${path}.md`])))
  const others = ['/docs', '/openapi.json', '/docs/guides/examples/signed-request.py']
  expect(paths).toEqual(expect.arrayContaining(others))
  const broken = [...pages].flatMap(([path, { status, links }]) => [
    ...(status === 200 ? [] : [`${path}: ${status}`]),
    ...links.filter((link) => !leadsToHeading(pages, link)).map((link) => `${path}: ${link}`),
  ])
  expect(broken).toEqual([])
})

test("every page has nothing inline that a policy could allow, and loads the service's own style sheet and script alone", async () => {
  const paths = ['/', '/docs/guides', '/docs/guides/signing', '/docs/guides/search?q=key']
  for (const path of [...paths, '/errors', '/errors/not_found']) {
    const { headers, body } = await get(path)
    const policy = String(headers['content-security-policy']).split('; ')
    const own = ["default-src 'none'", "style-src 'self'", "script-src 'self'"]
    expect(policy).toEqual(expect.arrayContaining(own))
    expect(policy.filter((rule) => rule.includes('unsafe'))).toEqual([])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/)
    expect(body.match(/<script[^>]*>[^<]*/g)).toEqual([
      '<script type="module" src="/docs/guides.js">',
    ])
  }
})

test('every page names the address of this service where the text has that of an example', async () => {
  const { body } = await get('/docs/guides/start')
  expect(body).toContain('https://lender.example/docs/guides/examples/signed-request.go')
  expect(body).not.toContain('sandbox.example.com')
})

test('every page is sent again only when it has changed', async () => {
  for (const path of [
    '/docs',
    '/docs/page.css',
    '/docs/guides.js',
    '/docs/guides/events',
    '/docs/guides/events.md',
    '/docs/guides/search?q=events',
    '/llms.txt',
    '/',
    '/errors',
    '/errors/not_found.md',
    '/openapi.json',
  ]) {
    const first = await get(path)
    expect([path, first.statusCode, first.headers['cache-control']]).toEqual([
      path,
      200,
      'no-cache',
    ])
    const again = await get(path, { 'if-none-match': String(first.headers.etag) })
    expect([path, again.statusCode, again.body]).toEqual([path, 304, ''])
  }
})

test('every page answers HEAD as it does GET, without the body, and 405 to what does not read', async () => {
  for (const path of ['/', '/docs', '/docs/guides/start', '/docs/guides/start.md', '/llms.txt']) {
    const [whole, head] = [await get(path), await get(path, {}, 'HEAD')]
    expect([path, head.statusCode, head.body]).toEqual([path, 200, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect([path, name, head.headers[name]]).toEqual([path, name, whole.headers[name]])
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      const refused = await get(path, {}, method)
      expect([path, method, refused.statusCode]).toEqual([path, method, 405])
      expect([refused.headers.allow, refused.json().code]).toEqual([
        'GET, HEAD',
        'method_not_allowed',
      ])
    }
  }
  expect((await get('/docs/guides/', {}, 'HEAD')).headers.location).toBe('/docs/guides')
  expect((await get('/nowhere', {}, 'HEAD')).statusCode).toBe(404)
})

test('every page is counted by the limit of the pages', async () => {
  const from = { remoteAddress: '127.9.9.9' }
  const first = await api.app.inject({ url: '/docs/guides', ...from })
  expect(first.headers['ratelimit-remaining']).toBe('119')
  for (const path of [
    '/docs/guides/signing',
    '/docs/guides/examples/signed-request.go',
    '/docs/guides.css',
    '/errors',
  ]) {
    await api.app.inject({ url: path, ...from })
  }
  const later = await api.app.inject({ url: '/docs', ...from })
  expect(later.headers['ratelimit-remaining']).toBe('114')
  for (let count = 0; count < 114; count += 1) await api.app.inject({ url: '/errors', ...from })
  const refused = await api.app.inject({ url: '/docs/guides/signing', ...from })
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited'])
  const seconds = Number(refused.headers['retry-after'])
  expect(refused.json().detail).toBe(`Too many requests. Retry after ${seconds} seconds.`)
})

test('the guides are files that the links of the repository lead to as well', () => {
  const missing = GUIDES.filter(
    ({ name }) => !existsSync(new URL(`../../docs/${guideFile(name)}`, import.meta.url)),
  )
  expect(missing).toEqual([])
})

test('an example is served as text, to the byte', async () => {
  const { headers, rawPayload } = await get('/docs/guides/examples/signed-request.py')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const file = new URL('../../docs/examples/signed-request.py', import.meta.url)
  expect(rawPayload.equals(readFileSync(file))).toBe(true)
})

test('the guide to limits has the limits of the service', () => {
  const page = readFileSync(new URL('../../docs/requests.md', import.meta.url), 'utf8')
  const shown = readTable(page, ['Class', 'Sustained', 'Burst']).map((row) => [
    row.Class,
    row.Sustained,
    row.Burst,
  ])
  const { portfolio_flood, unverified, console, console_tenant, console_sign_in, ...classes } =
    LIMIT_CLASSES
  const actual = Object.values(classes).map(({ displayName, limit }) => [
    displayName,
    `${1_000_000 / limit.intervalMicros}/s`,
    String(limit.burst),
  ])
  expect(shown).toEqual(actual)
})

test("the reference's script has the hash of its content in its name, and is kept for good", async () => {
  const path = await findScript()
  const { headers, rawPayload } = await get(path)
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const hash = createHash('sha256').update(rawPayload).digest('hex')
  expect(path).toBe(`/docs/scalar.${hash.slice(0, 16)}.js`)
  expect((await get('/docs/scalar.0123456789abcdef.js')).statusCode).toBe(404)
})

test("the reference's script is sent by brotli or gzip to clients that accept them, at under a third of its size", async () => {
  const path = await findScript()
  const plain = (await get(path)).rawPayload
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
  ] as const) {
    const { headers, rawPayload } = await get(path, { 'accept-encoding': accepted })
    expect([accepted, headers['content-encoding']]).toEqual([accepted, encoding])
    expect(headers.vary).toBe('Accept-Encoding')
    expect(rawPayload.length).toBeLessThan(plain.length / 3)
    expect(decoders[encoding](rawPayload).equals(plain)).toBe(true)
  }
  for (const accepted of ['', 'identity', 'deflate', 'br;q=0']) {
    const { headers } = await get(path, { 'accept-encoding': accepted })
    expect([accepted, headers['content-encoding']]).toEqual([accepted, undefined])
  }
})

test('the reference’s script is compressed once, however often it is requested', async () => {
  const file = createStaticFile('text/plain', 'x'.repeat(10_000))
  const [first, second] = await Promise.all([file.encode('br'), file.encode('br')])
  expect(second).toBe(first)
  expect(await file.encode('br')).toBe(first)
})

test.each([
  '/docs',
  '/docs/guides',
  '/docs/guides/signing',
  '/errors',
  '/errors/not_found',
  '/openapi.json',
])('a slash too many after %s leads to the page', async (path) => {
  for (const slashes of ['/', '//', '/?a=/']) {
    const { statusCode, headers } = await get(path + slashes)
    expect([statusCode, headers.location]).toEqual([301, path])
  }
})

test('a slash too many leads nowhere else: not to another host, and no other method', async () => {
  for (const url of ['//example.com/', '/nowhere/', '//']) {
    const { statusCode, headers } = await get(url)
    expect([url, statusCode, headers.location]).toEqual([url, 404, undefined])
  }
  const posted = await api.app.inject({ method: 'POST', url: '/docs/' })
  expect([posted.statusCode, posted.headers.location]).toEqual([404, undefined])
})

test('a slash too many after any path of the API is a 404 that names the right one', async () => {
  const { paths } = api.app.swagger() as { paths: Record<string, Record<string, unknown>> }
  for (const [template, methods] of Object.entries(paths)) {
    const path = template.replaceAll(/\{\w+\}/g, '1')
    for (const method of Object.keys(methods)) {
      const answer = await api.tenant.send(method.toUpperCase(), `${path}/?limit=1`)
      expectProblem(answer, 404, 'not_found')
      expect(answer.json().detail).toBe(`Paths do not end in a slash. Use ${path}.`)
    }
  }
})

test('a target of a million slashes is read at once, not in the square of its length', () => {
  const slashes = '/'.repeat(1_000_000)
  expect(withoutTrailingSlash({ raw: { url: `${slashes}a//` } })).toBe(`${slashes}a`)
  expect(withoutTrailingSlash({ raw: { url: `${slashes}a` } })).toBeUndefined()
})

test('pages of another origin are given no right to call the service', async () => {
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  for (const path of ['/v1/borrowers', '/docs/guides', '/openapi.json']) {
    const preflight = await api.app.inject({ method: 'OPTIONS', url: path, headers })
    const simple = await get(path, headers)
    expect(preflight.statusCode).toBeGreaterThanOrEqual(400)
    const granted = [preflight, simple].flatMap((answer) => Object.keys(answer.headers))
    expect(granted.filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

async function findScript(): Promise<string> {
  const [, path = ''] = /src="(\/docs\/scalar[^"]+)"/.exec((await get('/docs')).body) ?? []
  return path
}
