import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '../../../src/client/client.ts'
import { seedDemoTenant } from '../../../src/local/seed.ts'
import type { SentLog } from '../checks/sent-log.ts'
import { CLOCK, type OpenRequest } from '../world/open-keys.ts'
import type { World } from '../world/world.ts'
import type { Random } from './random.ts'

/** A tenant of the run: its client, and what it has seen and knows. */
export type Tenant = {
  id: string
  name: string
  client: Client
  /** A client that sends each request once. */
  hastyClient: Client
  /** Signing secrets in the order in which they were answered, with the instant. */
  secrets: { secret: string; at: number }[]
  /** When each webhook was deleted, as answered. */
  deletions: Map<string, number>
  /** Identifiers in any answer to this tenant. */
  seen: Set<string>
  /** Answers by method, route and status. */
  counts: Map<string, number>
  /** Mutations that wait for an answer at this moment. */
  open: Set<OpenRequest>
  /**
   * Requests that were answered, or given up for want of an answer, as instants of
   * `performance.now()`; those aside that set a clock ahead.
   */
  waits: Wait[]
  /** Bodies of refusals, in which nothing of a person may stand. */
  refusals: string[]
}

export type Wait = { from: number; to: number }

const ID = /\b(?:bor|fac|drw|rep|whk|evt|sig)_[0-9a-z]{26}\b/g

/** Makes a tenant that spreads its requests over all APIs and keeps them in the log. */
export async function openTenant(
  world: Pick<World, 'folder' | 'origins' | 'databaseUrl'>,
  log: SentLog,
  name: string,
  random: Random,
): Promise<Tenant> {
  const folder = join(world.folder, name)
  mkdirSync(folder)
  const [origin = ''] = world.origins
  const credentials = await seedDemoTenant(
    { folder, baseUrl: origin },
    world.databaseUrl,
    new Date(),
  )
  const options = {
    baseUrl: origin,
    keyId: credentials.key_id,
    privateKeyPem: credentials.private_key_pem,
    timeoutSeconds: 12,
  }
  const tenant = {
    id: credentials.tenant_id,
    name,
    secrets: [],
    deletions: new Map<string, number>(),
    seen: new Set<string>(),
    counts: new Map<string, number>(),
    open: new Set<OpenRequest>(),
    waits: [],
    refusals: [],
  }
  const through = { fetch: createLoggedFetch(tenant, log, () => random.pick(world.origins)) }
  return Object.assign(tenant, {
    client: createClient({ ...options, ...through, maxAttempts: 3 }),
    hastyClient: createClient({ ...options, ...through, maxAttempts: 1 }),
  })
}

type Witness = Pick<Tenant, 'id' | 'seen' | 'counts' | 'open' | 'waits' | 'refusals'>

function createLoggedFetch(
  tenant: Witness,
  log: SentLog,
  chooseOrigin: () => string,
): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const target = pathname + search
    const { method = 'GET', body } = init
    const key = new Headers(init.headers).get('idempotency-key')
    const entry = { tenantId: tenant.id, key: key ?? '' }
    const asked = typeof body === 'string' ? body : undefined
    if (key) log.write({ kind: 'sent', ...entry, method, target, body: asked })
    const origin = chooseOrigin()
    const request = { origin, key: key ?? '', method, target, body: asked }
    if (key) tenant.open.add(request)
    const from = performance.now()
    const wait = () => {
      if (target !== CLOCK) tenant.waits.push({ from, to: performance.now() })
    }
    const { status, headers, text } = await exchange(new URL(target, origin), init)
      .catch((error) => {
        // What was refused or cut off has not been waited for.
        if (init.signal?.aborted) wait()
        throw error
      })
      .finally(() => tenant.open.delete(request))
    wait()
    if (key) log.write({ kind: 'answered', ...entry, asked, status, body: text })
    const code = status >= 400 ? /"code":"(\w+)"/.exec(text)?.[1] : undefined
    const route = `${method} ${target.replace(ID, '…').replace(/\?.*|\/\d+\b/g, '')}`
    note(tenant, [route, code, status].filter(Boolean).join(' '))
    for (const [id] of text.matchAll(ID)) tenant.seen.add(id)
    if (status >= 400) tenant.refusals.push(text)
    return new Response(text === '' ? null : text, { status, headers })
  }
}

/** One request and its whole answer. */
async function exchange(url: URL, init: RequestInit) {
  const response = await fetch(url, init)
  const { status, headers } = response
  return { status, headers, text: await response.text() }
}

function note({ counts }: Witness, line: string): void {
  counts.set(line, (counts.get(line) ?? 0) + 1)
}
