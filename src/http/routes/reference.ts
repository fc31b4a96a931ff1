import { readFileSync } from 'node:fs'
import fastify, { type FastifyInstance } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { servePage } from '../pages/serve-page.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../static-file.ts'

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

const FILES = [
  ['page', 'css'],
  ['page', 'js'],
  ['signing-fetch', 'js'],
] as const

/**
 * This service only, because a private key is pasted into the page. Styles are inline because the
 * reference sets some on its elements.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The OpenAPI document, and a page at /docs to try operations, signed in the browser by a key that
 * stays there.
 */
export function referencePages(app: FastifyInstance): void {
  servePage(app, '/openapi.json', () =>
    createStaticFile('application/json; charset=utf-8', JSON.stringify(app.swagger())),
  )
  let made: Promise<ReferencePage> | undefined
  const makePage = () => {
    made ??= makeReferencePage()
    return made
  }
  servePage(app, '/docs', async () => (await makePage()).html, CONTENT_SECURITY_POLICY)
  // The address contains the hash: browsers keep these 4 MB.
  app.route<{ Params: { hash: string } }>({
    method: ['GET', 'HEAD'],
    url: '/docs/scalar.:hash.js',
    schema: { hide: true },
    handler: async (request, reply) => {
      const { script } = await makePage()
      if (request.params.hash !== script.hash) {
        throw new Refusal('not_found', 'There is no such script. Reload /docs.')
      }
      return sendStaticFile(request, reply, script, 'immutable')
    },
  })
  for (const [name, kind] of FILES) {
    const file = createStaticFile(TYPES[kind], readPart(`${name}.${kind}`))
    servePage(app, `/docs/${name}.${kind}`, () => file, CONTENT_SECURITY_POLICY)
  }
}

type ReferencePage = { html: StaticFile; script: StaticFile }

async function makeReferencePage(): Promise<ReferencePage> {
  const script = createStaticFile(TYPES.js, await readScalarScript())
  const html = readPart('page.html').replace('{scalar}', `/docs/scalar.${script.hash}.js`)
  return { html: createStaticFile(TYPES.html, html), script }
}

function readPart(name: string): string {
  return readFileSync(new URL(`../reference/${name}`, import.meta.url), 'utf8')
}

/**
 * Only the plugin's script is used, which it serves by a route: its page would need inline scripts.
 * Loaded for the first reader of the page, because it takes some 40 MiB.
 */
async function readScalarScript(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const plain = fastify()
  await plain.register(reference, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await plain.inject('/js/scalar.js')
  await plain.close()
  if (statusCode !== 200) throw new Error(`the reference's script was answered ${statusCode}`)
  return body
}
