import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { KyselyPlugin } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts'
import { inTransaction, type Tx } from '../../../src/db/database.ts'
import { peopleOf } from '../../../src/db/sql/people-tables.ts'
import { createLogFollower, type LogReader } from '../../../src/domain/events/log/log-follower.ts'
import { invite, redeem } from '../../../src/domain/people/links/invitations.ts'
import type { ActingInConsole } from '../../../src/domain/people/record.ts'
import { endSessions } from '../../../src/domain/people/sign-in/sessions.ts'
import { createEventStreams } from '../../../src/http/console/event-streams.ts'
import { apiForFile, startTestApi } from '../../support/api/api.ts'
import { type SignedIn, signIn } from '../../support/api/console.ts'
import { addEvents } from '../../support/deliveries/deliveries.ts'
import { waitFor } from '../../support/process/patience.ts'

const api = apiForFile({
  env: { CONSOLE: 'local' },
  clock: () => new Date(Date.now() + ahead),
})
let ahead = 0
const opened: ClientRequest[] = []
afterEach(() => {
  for (const request of opened.splice(0)) request.destroy()
})

type Stream = {
  response: IncomingMessage
  text: () => string
  numbers: () => number[]
  ended: Promise<void>
}

async function openStream(by: SignedIn, lastId?: number | string, of = api): Promise<Stream> {
  const request = httpRequest({
    host: '127.0.0.1',
    port: of.port,
    path: '/console/api/stream',
    headers: {
      host: new URL(of.resources.config.console.origin).host,
      cookie: `__Host-console=${by.cookie}`,
      ...(lastId !== undefined && { 'last-event-id': String(lastId) }),
    },
  })
  opened.push(request)
  request.on('error', () => undefined)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    request.end()
  })
  let text = ''
  response.on('error', () => undefined)
  response.on('data', (chunk) => {
    text += chunk
  })
  return {
    response,
    text: () => text,
    numbers: () => [...text.matchAll(/^event: event\nid: (\d+)$/gm)].map(([, id]) => Number(id)),
    ended: new Promise((resolve) => response.on('close', resolve)),
  }
}

async function newTenant(role: 'viewer' | 'admin' = 'viewer') {
  const tenant = await api.addTenant()
  return { tenant, person: await signIn(api, { role, tenantId: tenant.id }) }
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

test('an event is streamed once it is committed, with what it is about and nothing of its body', async () => {
  const { tenant, person } = await newTenant()
  const stream = await openStream(person)
  expect(stream.response.statusCode).toBe(200)
  expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(stream.response.headers['x-svc-request-id']).toMatch(/^req_/)
  await waitFor(() => expect(stream.text()).toContain('retry:'))
  await addEvents(api.db, tenant.id, 1)
  await waitFor(() => expect(stream.numbers()).toEqual([1]))
  const [event] = (await tenant.send('GET', '/v1/events')).json().items
  const [, data = ''] = /^data: (\{"sequence".*)$/m.exec(stream.text()) ?? []
  expect(JSON.parse(data)).toEqual({
    sequence: 1,
    id: event.id,
    type: event.type,
    resource: event.resource,
    facility_id: null,
    borrower_id: expect.anything(),
    created_at: expect.stringMatching(/Z$/),
  })
})

test('a stream resumes after its last id without a gap or an event twice, while more are written', async () => {
  const { tenant, person } = await newTenant()
  await addEvents(api.db, tenant.id, 700)
  const writing = (async () => {
    for (let n = 0; n < 30; n += 1) await addEvents(api.db, tenant.id, 1)
  })()
  const [whole, part, end] = await Promise.all([
    openStream(person, 0),
    openStream(person, 350),
    openStream(person, 700),
  ])
  await writing
  await waitFor(() => expect(whole.numbers().length).toBeGreaterThanOrEqual(730))
  await waitFor(() => expect(part.numbers().length).toBeGreaterThanOrEqual(380))
  await waitFor(() => expect(end.numbers().length).toBeGreaterThanOrEqual(30))
  await addEvents(api.db, tenant.id, 1)
  await waitFor(() => expect(end.numbers().at(-1)).toBe(731))
  await waitFor(() => expect(whole.numbers()).toEqual(range(1, 731)))
  await waitFor(() => expect(part.numbers()).toEqual(range(351, 731)))
  expect(end.numbers()).toEqual(range(701, 731))
})

test('a reader far behind, or with a number that the log never had, goes on from the end, with a mark of what was skipped', async () => {
  const { tenant, person } = await newTenant()
  await addEvents(api.db, tenant.id, 5_010)
  for (const lastId of [1, 99_999]) {
    const stream = await openStream(person, lastId)
    await waitFor(() => expect(stream.text()).toContain('event: skipped\nid: 5010\n'))
    expect(stream.numbers()).toEqual([])
  }
})

test('a stream has the events of its own tenant alone', async () => {
  const [ours, theirs] = [await newTenant(), await newTenant()]
  const stream = await openStream(ours.person)
  await waitFor(() => expect(stream.text()).toContain('retry:'))
  await addEvents(api.db, theirs.tenant.id, 3)
  await addEvents(api.db, ours.tenant.id, 1)
  await waitFor(() => expect(stream.numbers()).toEqual([1]))
  const { items } = (await ours.tenant.send('GET', '/v1/events')).json()
  expect(stream.text()).toContain(items[0].id)
})

test('many readers of one tenant cost one poll', async () => {
  const { tenant } = await newTenant()
  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const follower = createLogFollower(api.db.withPlugin(counting), {
    onError: () => undefined,
    pollMs: DAY_MS,
  })
  const reader = { send: () => undefined, skip: () => undefined }
  await Promise.all(range(1, 8).map(() => follower.follow(tenant.id, 0n, reader)))
  // Where the log ends: for each reader, and for the poll. Then the poll.
  expect(queries).toBe(8 + 1 + 1)
  await follower.close()
})

test('a person has six streams at most, and another when one has ended', async () => {
  const { person } = await newTenant()
  const streams = await Promise.all(range(1, 6).map(() => openStream(person)))
  const refused = await person.send('GET', '/console/api/stream')
  expect(refused.status).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'rate_limited' })
  streams[0]?.response.destroy()
  await waitFor(async () => {
    expect((await openStream(person)).response.statusCode).toBe(200)
  })
})

test('the streams of a process end before it does, and hold nothing up', async () => {
  await using other = await startTestApi({ env: { CONSOLE: 'local' } })
  const person = await signIn(other)
  const streams = await Promise.all([openStream(person, 0, other), openStream(person, 0, other)])
  await other.app.close()
  await Promise.all(streams.map(({ ended }) => ended))
})

test('without Redis events are streamed as ever', async () => {
  await using other = await startTestApi({
    env: { CONSOLE: 'local' },
    redisUrl: 'redis://127.0.0.1:1',
  })
  const person = await signIn(other)
  const stream = await openStream(person, undefined, other)
  expect(stream.response.statusCode).toBe(200)
  await waitFor(() => expect(stream.text()).toContain('retry:'))
  await addEvents(other.db, other.tenant.id, 1)
  await waitFor(() => expect(stream.numbers()).toEqual([1]))
})

/** One stream over a follower that a test calls. */
async function openAlone(isSessionOpen: () => Promise<boolean>, everyMs: number) {
  const { createServer } = await import('node:http')
  let reader: LogReader | undefined
  let left = false
  const streams = createEventStreams(
    {
      findEnd: async () => 0n,
      follow: async (_tenantId, _after, given) => {
        reader = given
        return () => {
          left = true
        }
      },
      close: async () => undefined,
    },
    async (tokens) => new Set((await isSessionOpen()) ? tokens : []),
    { pingMs: everyMs, checkMs: everyMs, maxWaitingBytes: 100_000 },
  )
  const asked = { tenantId: 't', personId: 'p', after: undefined, token: 'a' }
  const server = createServer((_request, response) => {
    void streams.open(asked, () => response.writeHead(200))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const request = httpRequest({ host: '127.0.0.1', port })
  opened.push(request)
  request.on('error', () => undefined)
  const response = await new Promise<IncomingMessage>((resolve) => {
    request.on('response', resolve)
    request.end()
  })
  return {
    response,
    reader: () => reader as LogReader,
    hasLeft: () => left,
    [Symbol.asyncDispose]: async () => {
      streams.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const mark = (sequence: bigint) => ({
  ...{ sequence, event_id: 'evt_1', type: 'borrower.eligible', resource_type: 'borrower' },
  ...{ resource_id: 'x'.repeat(1_000), facility_id: null, borrower_id: null },
  recorded_at: new Date(),
})

test('a reader that does not read is cut off, and followed no longer', async () => {
  await using stream = await openAlone(async () => true, DAY_MS)
  stream.response.pause()
  let sequence = 0n
  await waitFor(() => {
    for (let n = 0; n < 200; n += 1) {
      sequence += 1n
      stream.reader().send([mark(sequence)])
    }
    expect(stream.hasLeft()).toBe(true)
  })
})

describe('a stream ends within a second of its session', () => {
  type Ending = (person: SignedIn, admin: SignedIn) => Promise<unknown>

  const inDatabase = (
    end: (tx: Tx, actor: ActingInConsole & { personId: string }) => Promise<unknown>,
  ) => {
    return async ({ tenantId, personId }: SignedIn) => {
      const actor = { ...peopleOf(tenantId), personId, now: api.resources.clock() }
      await inTransaction(api.db, (tx) => end(tx, actor))
    }
  }

  test.each<[string, Ending]>([
    ['signing out', (person) => person.send('DELETE', '/console/api/session')],
    ['signing out everywhere', (person) => person.send('DELETE', '/console/api/sessions')],
    [
      'their removal',
      ({ personId }, admin) => admin.send('DELETE', `/console/api/people/${personId}`),
    ],
    ["the lender's command", inDatabase((tx, actor) => endSessions(tx, actor, actor))],
    [
      'an invitation that was opened, a day after it was made',
      inDatabase(async (tx, actor) => {
        const token = await invite(tx, actor, {
          kind: 'invitation',
          isTrusted: false,
          now: actor.now,
        })
        await redeem(tx, 'tenant', token, { now: actor.now, allowsLinks: false })
        ahead += DAY_MS
      }),
    ],
    ['twelve hours without a request', async () => (ahead += 12 * HOUR_MS)],
    [
      'its age of seven days',
      async ({ tenantId }) => {
        ahead += 7 * DAY_MS
        const seen = { seen_at: api.resources.clock() }
        await api.db
          .updateTable('console_sessions')
          .set(seen)
          .where('tenant_id', '=', tenantId)
          .execute()
      },
    ],
  ])('ended by %s', async (_name, end) => {
    const { tenant, person } = await newTenant()
    const [admin, other] = [
      await signIn(api, { tenantId: tenant.id }),
      await signIn(api, { tenantId: tenant.id }),
    ]
    const stream = await openStream(person)
    const apart = await openStream(other)
    await waitFor(() => expect(stream.text()).toContain('retry:'))
    const since = ahead
    await end(person, admin)
    const from = performance.now()
    await stream.ended
    expect(performance.now() - from).toBeLessThan(1_000)
    if (ahead === since) expect(apart.response.closed).toBe(false)
    ahead = 0
  })
})

test('a stream ends with its session, and pings while it is open', async () => {
  let isOpen = true
  let text = ''
  await using stream = await openAlone(async () => isOpen, 20)
  stream.response.on('data', (chunk) => {
    text += chunk
  })
  await waitFor(() => expect(text).toContain('event: ping'))
  isOpen = false
  await new Promise((resolve) => stream.response.on('end', resolve))
  await waitFor(() => expect(stream.hasLeft()).toBe(true))
})

test('a stream stays while the database cannot answer whether its session is open', async () => {
  const answer = () => Promise.reject(new Error('no database'))
  let checks = 0
  await using stream = await openAlone(() => {
    checks += 1
    return checks < 4 ? answer() : Promise.resolve(false)
  }, 20)
  await new Promise((resolve) => stream.response.resume().on('end', resolve))
  expect(checks).toBe(4)
})
