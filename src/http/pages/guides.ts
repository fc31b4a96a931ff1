import { escapeHtml } from './escape-html.ts'
import type { Heading } from './render-markdown.ts'

/** The pages of docs/ served under /docs/guides, in their order. */
export const GUIDES = [
  {
    name: 'start',
    title: 'Getting started',
    summary: 'From a key to a first loan and a first event',
  },
  {
    name: 'first-steps',
    title: 'First steps on your machine',
    summary: 'From a clone: run the sandbox, send a request, receive an event',
  },
  {
    name: 'signing',
    title: 'Signing requests',
    summary: 'The string to sign, common errors and their fixes, test vectors',
  },
  {
    name: 'requests',
    title: 'Requests and limits',
    summary: 'Idempotency, rate limits, lists, and the form of money and time',
  },
  {
    name: 'payments',
    title: 'Money out and money in',
    summary: 'Where a draw goes, and how a borrower pays, with examples',
  },
  {
    name: 'errors',
    title: 'Errors',
    summary: 'The problem object, and what to do for each status',
  },
  {
    name: 'changes',
    title: 'Changes of the interface',
    summary: 'What may change, and how long what is released stays',
  },
  {
    name: 'webhooks',
    title: 'Receiving webhooks',
    summary: 'Verifying a delivery, retries, replay, test vectors',
  },
  {
    name: 'inbox',
    title: 'The inbox',
    summary: 'Each event applied once, in order, and none lost',
  },
  {
    name: 'inbox-python',
    title: 'The inbox in Python',
    summary: 'Installing it, and a receiver',
  },
  {
    name: 'inbox-go',
    title: 'The inbox in Go',
    summary: 'Installing it, and a receiver',
  },
  {
    name: 'events',
    title: 'Events',
    summary: 'The envelope, the order of events, and when each one fires',
  },
  {
    name: 'events-facilities',
    title: 'Events of borrowers and facilities',
    summary: 'Their members, with an example of each',
  },
  {
    name: 'events-money',
    title: 'Events of draws and repayments',
    summary: 'Their members, with an example of each',
  },
  {
    name: 'events-margin',
    title: 'Events of margin',
    summary: 'Of warnings and margin calls, with an example of each',
  },
  {
    name: 'events-notices',
    title: 'Events of early notice',
    summary: 'Of a loan on its way to a warning, with an example',
  },
  {
    name: 'margin',
    title: 'The margin ladder',
    summary: 'When a warning is raised, how it is cured, what is sold',
  },
  {
    name: 'foresight',
    title: 'Foresight',
    summary: 'At which price a warning comes, and what an act would lead to',
  },
  {
    name: 'statements',
    title: 'Statement and payoff',
    summary: 'Every movement of a loan with its balances, and what closes it',
  },
  {
    name: 'evidence',
    title: 'Evidence',
    summary: 'Proof that a borrower was told, and that a sale was right',
  },
  {
    name: 'sandbox',
    title: 'The sandbox',
    summary: 'Its controls, each with a walkthrough',
  },
  {
    name: 'client',
    title: 'The client library',
    summary: 'Every operation typed, signed and retried, in TypeScript',
  },
  {
    name: 'svc',
    title: 'The command line',
    summary: 'The commands, credentials, output and exit codes of svc',
  },
  {
    name: 'console',
    title: 'The console',
    summary: 'Keys, requests, events, loans and the sandbox, in a browser',
  },
  {
    name: 'glossary',
    title: 'Glossary',
    summary: 'Each term and its one meaning',
  },
  {
    name: 'changelog',
    title: 'Changelog',
    summary: 'What each release brought',
  },
] as const

export type GuideName = (typeof GUIDES)[number]['name']

/** From the folder of guides. */
export function guideFile(name: GuideName): string {
  return name === 'changelog' ? '../CHANGELOG.md' : `${name}.md`
}

export function guidePath(name: GuideName): string {
  return `/docs/guides/${name}`
}

/** All guides, with the sections of the open one. */
export function listGuides(open?: GuideName, headings: readonly Heading[] = []): string {
  const sections = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  const items = GUIDES.map(({ name, title }) => {
    const current = name === open ? ' aria-current="page"' : ''
    const list = name === open && sections.length > 0 ? `<ul>${sections.join('')}</ul>` : ''
    return `<li><a href="${guidePath(name)}"${current}>${escapeHtml(title)}</a>${list}</li>`
  })
  return `<nav aria-label="Guides"><ul>${items.join('')}</ul></nav>`
}
