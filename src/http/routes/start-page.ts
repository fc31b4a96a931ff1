import type { FastifyInstance } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config/config.ts'
import { guidePath, listGuides } from '../pages/guides.ts'
import { createPage } from '../pages/layout.ts'
import { serveFresh } from '../pages/serve-page.ts'
import { preferredType } from '../preferred-type.ts'
import { createStaticFile } from '../static-file.ts'

/** Serves an overview of the service for people, or as JSON if `Accept` ranks it above HTML. A client that accepts
 * anything gets the page. */
export function startPage(
  app: FastifyInstance,
  { stack, publicUrl, console: { mode, origin } }: Pick<Config, 'stack' | 'publicUrl' | 'console'>,
): void {
  const consoleUrl = mode === 'off' ? undefined : `${origin}/console/`
  const json = {
    ...{ name: 'Lending service', version: manifest.version, stack },
    ...(consoleUrl !== undefined && { console: consoleUrl }),
    reference: `${publicUrl}/docs`,
    guides: `${publicUrl}/docs/guides`,
    errors: `${publicUrl}/errors`,
    openapi: `${publicUrl}/openapi.json`,
    llms: `${publicUrl}/llms.txt`,
  }
  const forPrograms = createStaticFile('application/json; charset=utf-8', JSON.stringify(json))
  const forPeople = createPage({
    title: stack === 'live' ? 'Live' : 'Sandbox',
    main: describeService(stack, consoleUrl),
    aside: listGuides(),
  })
  serveFresh(app, '/', ({ headers }, reply) => {
    reply.header('vary', 'Accept')
    const type = preferredType(headers.accept, ['text/html', 'application/json'])
    return type === 'text/html' ? forPeople : forPrograms
  })
}

function describeService(stack: Config['stack'], consoleUrl: string | undefined): string {
  const kind = stack === 'live' ? 'the live service' : 'a sandbox, where no money moves'
  const items = [
    ...(consoleUrl === undefined
      ? []
      : [[consoleUrl, 'Console', 'Keys, webhooks, requests, borrowers and loans, in a browser']]),
    [guidePath('start'), 'Getting started', 'From a key to a first loan and a first event'],
    ['/docs/guides', 'Guides', 'Signing, webhooks, events, margin, and all else to integrate'],
    ['/docs', 'API reference', 'Every operation, to read and to try'],
    ['/errors', 'Errors', 'The cause and the cure of each'],
    ['/openapi.json', 'OpenAPI', 'The interface as a document, for generators of clients'],
    ['/llms.txt', 'llms.txt', 'All guides as Markdown, for programs'],
  ].map(([path, title, text]) => `<li><a href="${path}">${title}</a><span>${text}</span></li>`)
  return `<h1>Lending service</h1>
<p>Credit against assets that stay with a custodian. This is ${kind}. Version ${manifest.version}.</p>
<ul class="cards">${items.join('')}</ul>`
}
