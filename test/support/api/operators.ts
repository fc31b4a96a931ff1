import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { LENDER } from '../../../src/db/sql/people-tables.ts'
import type { Operator, OperatorRole } from '../../../src/domain/operators/roles.ts'
import { createOperatorToken } from '../../../src/domain/operators/tokens.ts'
import { openSession } from '../../../src/domain/people/sign-in/sessions.ts'
import { createInternalServer } from '../../../src/process/internal-server.ts'
import { confirmForTest, inviteOperator } from '../people.ts'
import { startTestApi, type TestApi, type TestApiOptions } from './api.ts'

export type Sent = {
  token?: string
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'
  body?: unknown
  type?: string
  /** As a browser on the desk's page; in place of a token. */
  cookie?: string
  headers?: Record<string, string>
}

export type OperatorApi = AsyncDisposable & {
  server: FastifyInstance
  /** With a token that lasts a day, and a session that is confirmed for as long. */
  addOperator(role: OperatorRole): Promise<{ operator: Operator; token: string; cookie: string }>
  /** A path below /operator/v1. */
  send(path: string, sent?: Sent): Promise<Answer>
  /** Holds the answer to the problem object of a refusal. */
  expectRefusal(path: string, sent: Sent, status: number, code: string): Promise<Answer>
}

type Answer = {
  status: number
  headers: OutgoingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  json(): any
}

/** An API and its internal port that all tests of a file share. */
export function operatorApiForFile(options: TestApiOptions = {}, start = startTestApi) {
  const owned = new AsyncDisposableStack()
  const shared = { api: {} as TestApi, operators: {} as OperatorApi }
  beforeAll(async () => {
    const api = Object.assign(shared.api, owned.use(await start(options)))
    Object.assign(shared.operators, owned.use(await openOperatorApi(api)))
  })
  afterAll(() => owned.disposeAsync())
  return shared
}

/** The internal port of this API, as its own role in the database. */
export async function openOperatorApi(api: TestApi): Promise<OperatorApi> {
  const { clock } = api.resources
  const server = await createInternalServer(api.resources, true)
  let count = 0

  async function send(path: string, sent: Sent = {}): Promise<Answer> {
    const { token, method = 'GET', body, type = 'application/json', cookie } = sent
    const { origin } = api.resources.config.desk
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await server.inject({
      ...{ method, url: `/operator/v1${path}` },
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        host: new URL(origin).host,
        ...(body !== undefined && { 'content-type': type }),
        ...(cookie !== undefined && { cookie: `__Host-desk=${cookie}` }),
        ...(cookie !== undefined && method !== 'GET' && { origin }),
        ...sent.headers,
      },
      ...(body !== undefined && { payload }),
    })
    return { status: answer.statusCode, headers: answer.headers, json: () => answer.json() }
  }

  return {
    server,
    send,
    async addOperator(role) {
      count += 1
      const email = `operator${count}@lender.example`
      return await inTransaction(api.db, async (tx) => {
        const { operator } = await inviteOperator(tx, { email, name: email, role }, clock())
        const terms = { name: 'laptop', expiresAt: addMs(clock(), DAY_MS), isTrusted: true }
        const { token } = await createOperatorToken(tx, operator, terms, clock())
        const key = { ...LENDER, personId: operator.id }
        const member = { people: LENDER, person: operator }
        const signedIn = { signedInBy: 'passkey', heldSince: undefined } as const
        const cookie = await openSession(tx, member, { now: clock() }, signedIn)
        await confirmForTest(tx, key)
        return { operator, token, cookie }
      })
    },
    async expectRefusal(path, sent, status, code) {
      const answer = await send(path, sent)
      expect(answer.status).toBe(status)
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.json()).toMatchObject({
        ...{ status, code, request_id: answer.headers['x-svc-request-id'] },
        type: expect.stringMatching(new RegExp(`/errors/${code}$`)),
      })
      return answer
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}
