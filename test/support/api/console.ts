import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import type { SignInMethod } from '../../../src/db/schema/console.ts'
import { peopleOf } from '../../../src/db/sql/people-tables.ts'
import type { Role } from '../../../src/domain/console/roles.ts'
import { insertPerson } from '../../../src/domain/people/people-queries.ts'
import { openSession } from '../../../src/domain/people/sign-in/sessions.ts'
import { confirmForTest } from '../people.ts'
import type { TestApi, TestResponse } from './api.ts'

export type Browser = {
  /** The cookie of its session; undefined when signed out. */
  cookie: string | undefined
  send(method: string, path: string, options?: BrowserOptions): Promise<TestResponse>
}

export type BrowserOptions = {
  body?: unknown
  /** By default the console's own; null for none. */
  origin?: string | null
  headers?: Record<string, string>
  /** By default a new UUID on what changes something. */
  idempotencyKey?: string | null
  /** The loopback address the request comes from. */
  from?: string
}

export type SignedIn = Browser & { personId: string; tenantId: string }

const agent = new Agent({ keepAlive: false })

/** As a browser on the console's page, which keeps the cookie that it is given. */
export function openBrowser(api: TestApi, cookie?: string): Browser {
  const browser: Browser = {
    cookie,
    send: async (method, path, options = {}) => {
      const response = await exchange(api, browser.cookie, method, path, options)
      const [given] = response.headers['set-cookie'] ?? []
      const value = /^__Host-console=([^;]*)/.exec(given ?? '')?.[1]
      if (value !== undefined) browser.cookie = value || undefined
      return response
    },
  }
  return browser
}

/** A new person of the first tenant, or of `tenantId`, signed in as if by a passkey. */
export async function signIn(
  api: TestApi,
  given: {
    role?: Role
    tenantId?: string
    signedInBy?: SignInMethod
    /** By a passkey, for as long as the test lasts. */
    isConfirmed?: boolean
  } = {},
): Promise<SignedIn> {
  const {
    role = 'admin',
    tenantId = api.tenant.id,
    signedInBy = 'passkey',
    isConfirmed = true,
  } = given
  const personId = newId('per')
  const now = api.resources.clock()
  const token = await inTransaction(api.db, async (tx) => {
    const people = peopleOf(tenantId)
    const person = { email: `${personId}@example.com`, name: 'Ada', role }
    await insertPerson(tx, { ...people, personId }, { ...person, createdAt: now })
    const member = { people, person: { id: personId, ...person } }
    const token = await openSession(tx, member, { now }, { signedInBy, heldSince: undefined })
    if (isConfirmed) await confirmForTest(tx, { ...people, personId })
    return token
  })
  return Object.assign(openBrowser(api, token), { personId, tenantId })
}

function exchange(
  api: TestApi,
  cookie: string | undefined,
  method: string,
  path: string,
  options: BrowserOptions,
): Promise<TestResponse> {
  const isChange = method !== 'GET'
  const own = api.resources.config.console.origin
  const { origin = isChange ? own : null, from } = options
  const { idempotencyKey = isChange ? randomUUID() : null, headers } = options
  const bytes = options.body === undefined ? undefined : Buffer.from(JSON.stringify(options.body))
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: api.port,
      agent,
      method,
      path,
      ...(from === undefined ? {} : { localAddress: from }),
      headers: {
        host: new URL(own).host,
        ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...(cookie === undefined ? {} : { cookie: `__Host-console=${cookie}` }),
        ...(origin === null ? {} : { origin }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode: status = 0, headers: answered } = response
        resolve({ status, headers: answered, text, json: () => JSON.parse(text) })
      })
    })
    request.end(bytes)
  })
}
