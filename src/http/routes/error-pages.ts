import type { FastifyInstance } from 'fastify'
import {
  CONSOLE_ERROR_CODES,
  ERROR_CODES,
  type ErrorCode,
  OPERATOR_ERROR_CODES,
} from '../../core/errors.ts'
import { FIELD_CODES } from '../../core/field-errors.ts'
import { ERROR_CATALOGUE } from '../errors/catalogue.ts'
import { GUIDES, type GuideName, guidePath, listGuides } from '../pages/guides.ts'
import { serveText, type TextPage } from '../pages/text-page.ts'

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
  execution_already_reported: 'payments',
  duplicate_reference: 'payments',
  unsupported_asset: 'payments',
  scope_missing: 'requests',
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
export function errorPages(app: FastifyInstance): readonly TextPage[] {
  // Its links lead to pages that have both forms.
  const shared = {
    section: '/errors',
    resolveLink: (href: string, form: string) => href + form,
  } as const
  const pages: readonly TextPage[] = [
    { ...shared, path: '/errors', title: 'Errors', text: listErrors(), aside: () => listGuides() },
    ...ALL_CODES.map((code) => ({
      ...{ ...shared, path: `/errors/${code}`, title: ERROR_CATALOGUE[code].title },
      ...{ text: describeError(code), aside: () => listCodes(code) },
    })),
  ]
  for (const page of pages) serveText(app, page)
  return pages
}

function listErrors(): string {
  const rows = byStatus().map(
    ([code, { status, title }]) => `| [\`${code}\`](/errors/${code}) | ${status} | ${title} |`,
  )
  return `# Errors

Every refusal is a problem object whose \`code\` is one of these, and whose \`type\` is the address of its page. The guide to [errors](${guidePath('errors')}) has the members of a problem object, and what to do about each status.

| Code | Status | Title |
| --- | --- | --- |
${rows.join('\n')}
`
}

function describeError(code: ErrorCode): string {
  const { status, title, cause, cure } = ERROR_CATALOGUE[code]
  const guide = GUIDES.find(({ name }) => name === (GUIDE_OF[code] ?? 'errors'))
  const more = guide ? `More: [${guide.title}](${guidePath(guide.name)})` : ''
  return `# ${title}

\`${code}\`, HTTP ${status}

## Cause

${cause}

## Cure

${cure}

${code === 'validation_failed' ? listFieldCodes() : ''}${more}

[All errors](/errors)
`
}

function listFieldCodes(): string {
  const rows = Object.entries(FIELD_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  return `## Codes of \`errors\`

| Code | Meaning |
| --- | --- |
${rows.join('\n')}

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
