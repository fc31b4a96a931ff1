import type { FastifyInstance } from 'fastify'
import {
  CONSOLE_ERROR_CODES,
  ERROR_CODES,
  type ErrorCode,
  OPERATOR_ERROR_CODES,
} from '../../core/errors.ts'
import { FIELD_CODES } from '../../core/field-errors.ts'
import { ERROR_CATALOGUE } from '../errors/catalogue.ts'
import { escapeHtml } from '../pages/escape-html.ts'
import { GUIDES, type GuideName, guidePath, listGuides } from '../pages/guides.ts'
import { createPage, PAGE_POLICY } from '../pages/layout.ts'
import { type StaticFile, sendStaticFile } from '../static-file.ts'

const GUIDE_OF: Partial<Record<ErrorCode, GuideName>> = {
  signature_missing: 'signing',
  signature_malformed: 'signing',
  signature_invalid: 'signing',
  timestamp_out_of_range: 'signing',
  idempotency_key_missing: 'requests',
  idempotency_key_invalid: 'requests',
  idempotency_key_reused: 'requests',
  idempotency_in_progress: 'requests',
  cursor_invalid: 'requests',
  cursor_expired: 'requests',
  rate_limited: 'requests',
  secret_not_retrievable: 'webhooks',
  webhook_disabled: 'webhooks',
  delivery_in_progress: 'webhooks',
  recovery_in_progress: 'webhooks',
  url_not_allowed: 'webhooks',
  borrower_not_eligible: 'start',
  draws_blocked: 'margin',
  margin_warning_not_open: 'margin',
  margin_call_not_completed: 'evidence',
  sandbox_only: 'sandbox',
  clock_advancing: 'sandbox',
}

const ALL_CODES: readonly ErrorCode[] = [
  ...ERROR_CODES,
  ...CONSOLE_ERROR_CODES,
  ...OPERATOR_ERROR_CODES,
]

/** Cause and cure of each error, where a problem's `type` points. */
export function errorPages(app: FastifyInstance): void {
  const pages = [
    ['/errors', listErrors] as const,
    ...ALL_CODES.map((code) => [`/errors/${code}`, () => describeError(code)] as const),
  ]
  for (const [path, make] of pages) {
    let made: StaticFile | undefined
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      made ??= make()
      reply.header('content-security-policy', PAGE_POLICY)
      return sendStaticFile(request, reply, made)
    })
  }
}

function listErrors(): StaticFile {
  const rows = byStatus().map(([code, { status, title }]) => {
    const link = `<a href="/errors/${code}"><code>${code}</code></a>`
    return `<tr><td>${status}</td><td>${link}</td><td>${escapeHtml(title)}</td></tr>`
  })
  const main = `<h1>Errors</h1>
<p>Every refusal is a problem object whose <code>code</code> is one of these, and whose <code>type</code> is the address of its page. The guide to <a href="${guidePath('errors')}">errors</a> has the members of a problem object, and what to do about each status.</p>
<div class="table errors" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  return createPage({ title: 'Errors', main, aside: listGuides(), section: '/errors' })
}

function describeError(code: ErrorCode): StaticFile {
  const { status, title, cause, cure } = ERROR_CATALOGUE[code]
  const guide = GUIDES.find(({ name }) => name === (GUIDE_OF[code] ?? 'errors'))
  const more = guide
    ? `<p>More: <a href="${guidePath(guide.name)}">${escapeHtml(guide.title)}</a></p>`
    : ''
  const main = `<h1>${escapeHtml(title)}</h1>
<p class="status"><code>${code}</code>, HTTP ${status}</p>
<h2>Cause</h2><p>${withCode(cause)}</p>
<h2>Cure</h2><p>${withCode(cure)}</p>
${code === 'validation_failed' ? listFieldCodes() : ''}${more}<p><a href="/errors">All errors</a></p>`
  return createPage({ title, main, aside: listCodes(code), section: '/errors' })
}

function listFieldCodes(): string {
  const rows = Object.entries(FIELD_CODES).map(
    ([code, meaning]) => `<tr><td><code>${code}</code></td><td>${withCode(meaning)}</td></tr>`,
  )
  return `<h2>Codes of <code>errors</code></h2>
<div class="table" tabindex="0"><table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
`
}

function listCodes(open: ErrorCode): string {
  const items = byStatus().map(([code]) => {
    const current = code === open ? ' aria-current="page"' : ''
    return `<li><a href="/errors/${code}"${current}>${code}</a></li>`
  })
  return `<nav aria-label="Errors"><ul>${items.join('')}</ul></nav>`
}

function byStatus() {
  const entries = ALL_CODES.map((code) => [code, ERROR_CATALOGUE[code]] as const)
  return entries.sort(([, first], [, second]) => first.status - second.status)
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
