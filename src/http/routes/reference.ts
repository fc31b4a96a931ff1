import { readFileSync } from 'node:fs'
import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

/** What the page is made of, by the path it is served at. */
const FILES = [
  ['/docs', 'page', 'html'],
  ['/docs/page.css', 'page', 'css'],
  ['/docs/page.js', 'page', 'js'],
  ['/docs/signing-fetch.js', 'signing-fetch', 'js'],
] as const

/**
 * What the page may load and where it may send: this service alone, for a private key is pasted into
 * it. Styles are excepted, because the reference sets some on its elements.
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
 * The OpenAPI document at /openapi.json, and at /docs a reference that tries each operation out,
 * signed in the browser with a key that never leaves it (http/reference).
 */
export async function referencePages(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())

  for (const [path, name, kind] of FILES) {
    const text = readFileSync(new URL(`../reference/${name}.${kind}`, import.meta.url), 'utf8')
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      reply.type(TYPES[kind]).header('X-Content-Type-Options', 'nosniff')
      reply.header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
      return text
    })
  }
  app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'))

  // Its script alone is wanted: the page that comes with it would need scripts within the page.
  await app.register(reference, {
    routePrefix: '/docs/scalar',
    configuration: { url: '/openapi.json' },
    hooks: {
      onRequest: async (request, reply) => {
        if (!request.url.endsWith('.js')) return reply.redirect('/docs')
      },
    },
  })
}
