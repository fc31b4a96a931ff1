import type { FastifyInstance } from 'fastify'
import { ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import { ERROR_CATALOGUE } from '../error-catalogue.ts'

/** The pages that the `type` of a problem object leads to: cause and cure of each error. */
export function errorPages(app: FastifyInstance): void {
  app.get('/errors', { schema: { hide: true } }, async (_request, reply) => {
    const items = ERROR_CODES.map(
      (code) =>
        `<li><a href="/errors/${code}"><code>${code}</code></a> (${entry(code).status})</li>`,
    )
    reply.type('text/html; charset=utf-8')
    return page('Errors', `<ul>${items.join('')}</ul>`)
  })
  for (const code of ERROR_CODES) {
    const { status, title, cause, cure } = entry(code)
    const body = `<p><code>${code}</code>, HTTP ${status}</p><h2>Cause</h2><p>${html(cause)}</p><h2>Cure</h2><p>${html(cure)}</p><p><a href="/errors">All errors</a> · <a href="/docs">Reference</a></p>`
    app.get(`/errors/${code}`, { schema: { hide: true } }, async (_request, reply) => {
      reply.type('text/html; charset=utf-8')
      return page(title, body)
    })
  }
}

function entry(code: ErrorCode) {
  return ERROR_CATALOGUE[code]
}

/** Names of members stand between backticks. */
function html(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>')
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width"><style>body{font:16px/1.5 system-ui;max-width:42rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style></head><body><h1>${title}</h1>${body}</body></html>`
}
