import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../../src/core/errors.ts'
import { ERROR_CATALOGUE } from '../../../src/http/errors/catalogue.ts'
import { GUIDES } from '../../../src/http/pages/guides.ts'
import { apiForFile } from '../../support/api/api.ts'

const api = apiForFile({ env: { PUBLIC_URL: 'https://lender.example' } })

let asked = 0

/** From an address of its own each time: the pages have a limit by source. */
function get(url: string, headers: Record<string, string> = {}) {
  asked += 1
  return api.app.inject({ url, headers, remoteAddress: `127.2.${asked >> 7}.${(asked % 128) + 1}` })
}

const search = async (query: string) =>
  (await get(`/docs/guides/search?q=${encodeURIComponent(query)}`)).body

const found = (body: string) =>
  [...body.matchAll(/<li><a href="([^"]+)">([^<]+)<\/a><span>/g)].map(([, path]) => path)

test('every page that the index names for tenants is served', async () => {
  const index = readFileSync(new URL('../../../docs/README.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## You integrate.*?$(.*?)^## /ms.exec(index) ?? []
  const named = [...section.matchAll(/\]\((\w[\w-]*)\.md\)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(20)
  for (const name of [...named, 'glossary']) {
    for (const path of [`/docs/guides/${name}`, `/docs/guides/${name}.md`]) {
      expect([path, (await get(path)).statusCode]).toEqual([path, 200])
    }
  }
})

test('a guide as Markdown is its text, with links that lead to the Markdown of other pages', async () => {
  const { headers, body } = await get('/docs/guides/start.md')
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
  expect(body).toMatch(/^# Getting started\n/)
  expect(body).toContain('](/docs/guides/signing.md)')
  expect(body).toContain('](/docs/guides/webhooks.md#duplicates-and-order)')
  expect(body).toContain('](/docs/guides/examples/signed-request.py)')
  expect(body).toContain("import { createClient } from 'lending-service'")
  expect(body).not.toContain('sandbox.example.com')
  expect((await get('/docs/guides/events.md')).body).not.toContain('<!--')
})

test('a page names its Markdown, and llms.txt lists that of every guide in the form of llmstxt.org', async () => {
  const { headers, body } = await get('/llms.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(body).toMatch(/^# .+\n\n> .+\n\n/)
  const listed = [...body.matchAll(/^- \[[^\]]+\]\(https:\/\/lender\.example([^)]+)\): \S/gm)]
  const paths = listed.map(([, path]) => path)
  const guides = GUIDES.map(({ name }) => `/docs/guides/${name}`)
  expect(paths).toEqual([...guides.map((path) => `${path}.md`), '/openapi.json', '/errors.md'])
  for (const path of [...guides, '/docs/guides', '/errors', '/errors/not_found']) {
    const page = (await get(path)).body
    expect(page).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md">`)
  }
})

test('the page of each error has its cause and cure, as a page and as Markdown', async () => {
  for (const code of ERROR_CODES) {
    const { title, cause, cure } = ERROR_CATALOGUE[code]
    const markdown = (await get(`/errors/${code}.md`)).body
    for (const text of [`# ${title}\n`, `\n${cause}\n`, `\n${cure}\n`]) {
      expect(markdown).toContain(text)
    }
    const page = (await get(`/errors/${code}`)).body
    const shown = page.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<')
    for (const text of [cause, cure]) {
      const html = `<p>${text.replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`
      expect(shown.replaceAll('&gt;', '>').replace(/<code class="long">/g, '<code>')).toContain(
        html,
      )
    }
  }
})

test('a search finds sections by all of their words, headings first, and shows the words in their text', async () => {
  const [first, ...others] = found(await search('rate limit'))
  expect(first).toBe('/docs/guides/requests#rate-limits')
  expect(others.length).toBeGreaterThan(2)
  expect(found(await search('DUPLICATE_reference'))).toContain('/errors/duplicate_reference')
  expect(found(await search('retry-after'))[0]).toMatch(/^\/(docs|errors)/)
  const body = await search('constant time comparison hmac')
  expect(found(body).length).toBeGreaterThan(0)
  expect(await search('custodian')).toMatch(/<span>[^<]*custodian/i)
})

test('a search without a result says so, and one of words that no section has together shows the closest', async () => {
  expect(await search('zzzzzz')).toContain('Nothing was found for <strong>zzzzzz</strong>')
  const close = await search('idempotency zzzzzz')
  expect(close).toContain('No section has all of')
  expect(found(close)).toContain('/docs/guides/requests#idempotency')
  expect(found(await search('   '))).toEqual([])
})

test('a search shows what was asked as text, and survives any query', async () => {
  const body = await search('"><img src=x onerror=alert(1)>')
  expect(body).not.toContain('<img')
  expect(body).toContain('value="&quot;&gt;&lt;img src=x')
  const queries = ['', '?q', '?q=a&q=b', '?q=%zz', '?q[]=1', `?q=${'x'.repeat(5_000)}`, '?other=1']
  for (const query of queries) {
    const { statusCode, headers } = await get(`/docs/guides/search${query}`)
    expect([query.slice(0, 20), statusCode]).toEqual([query.slice(0, 20), 200])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  }
  expect(found(await search('a '.repeat(2_000)))).not.toEqual([])
})

test('the first page leads a person to console, guides and reference', async () => {
  for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', '', 'image/png']) {
    const { statusCode, headers, body } = await get('/', { accept })
    expect([accept, statusCode]).toEqual([accept, 200])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers.vary).toBe('Accept, Accept-Encoding')
    const links = [...body.matchAll(/<li><a href="([^"]+)">/g)].map(([, path]) => path)
    const needed = ['https://lender.example/console/', '/docs/guides/start', '/docs', '/errors']
    expect(links).toEqual(expect.arrayContaining(needed))
    expect(body).toContain('a sandbox, where no money moves')
  }
})

test('the first page is JSON for a program that accepts only that, or rather', async () => {
  for (const accept of ['application/json', 'application/*', 'text/html;q=0.5, application/json']) {
    const answer = await get('/', { accept })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({
      name: 'Lending service',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      stack: 'sandbox',
      console: 'https://lender.example/console/',
      reference: 'https://lender.example/docs',
      guides: 'https://lender.example/docs/guides',
      errors: 'https://lender.example/errors',
      openapi: 'https://lender.example/openapi.json',
      llms: 'https://lender.example/llms.txt',
    })
  }
})
