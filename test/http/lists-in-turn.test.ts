import { connect } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { mapInSlices, SLICE } from '../../src/core/limits/slices.ts'
import { apiForFile } from '../support/api/api.ts'
import { addEstate, type Estate } from '../support/api/estate.ts'

const ROWS = 3 * SLICE

const api = apiForFile()
let estate: Estate
beforeAll(async () => {
  estate = await addEstate(api, api.tenant)
  const ids = Array.from({ length: ROWS - 1 }, () => newId('rep'))
  await sql`INSERT INTO repayments
    SELECT (jsonb_populate_record(r, jsonb_build_object('repayment_id', id))).*
    FROM repayments r, unnest(${ids}::text[]) id
    WHERE r.facility_id = ${estate.facilityId}`.execute(api.db)
})

const list = (limit: number) =>
  api.tenant.send('GET', `/v1/facilities/${estate.facilityId}/repayments?limit=${limit}`)

test('a long list has the text that its parts have, with the same headers', async () => {
  const texts = vi.spyOn(JSON, 'stringify')
  const long = await list(ROWS)
  const rows = texts.mock.calls.filter(([value]) => value?.facility_id === estate.facilityId)
  texts.mockRestore()
  expect(rows).toHaveLength(ROWS)
  const { items, ...rest } = long.json()
  expect(items).toHaveLength(ROWS)
  expect(rest).toEqual({ has_more: false })
  const short = await list(2)
  const firstTwo = short.text.slice('{"items":['.length, short.text.lastIndexOf('],"next_cursor"'))
  expect(long.text.startsWith(`{"items":[${firstTwo},{`)).toBe(true)
  expect(long.headers['content-type']).toBe(short.headers['content-type'])
  expect(Number(long.headers['content-length'])).toBe(Buffer.byteLength(long.text))
  const more = (await list(SLICE + 1)).json()
  expect(more).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
  expect(more.items).toEqual(items.slice(0, SLICE + 1))
})

test('other work goes on between two slices of a list', async () => {
  let turns = 0
  const turning = setInterval(() => (turns += 1), 0)
  const doubled = await mapInSlices(
    Array.from({ length: 20 * SLICE }, (_, at) => at),
    (at) => {
      const until = performance.now() + 0.05
      while (performance.now() < until);
      return 2 * at
    },
  )
  clearInterval(turning)
  expect(doubled).toEqual(Array.from({ length: 20 * SLICE }, (_, at) => 2 * at))
  expect(turns).toBeGreaterThan(1)
})

test('of many lists at once each is answered, also after callers who went away', async () => {
  const target = `/v1/facilities/${estate.facilityId}/repayments?limit=${ROWS}`
  const headers = await api.tenant.sign('GET', target)
  const head = Object.entries({ host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  for (let gone = 0; gone < 20; gone += 1) {
    const socket = connect(api.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET ${target} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`, () => socket.destroy())
  }
  const answers = await Promise.all(Array.from({ length: 30 }, () => list(ROWS)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})
