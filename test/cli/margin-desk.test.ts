import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/time.ts'
import { houseForFile } from '../support/lending/houses.ts'
import { addBorrowed, addCritical, holdPrice, tick } from '../support/lending/margin.ts'
import { createDatabaseCli } from './database-cli.ts'

const lending = houseForFile()
let cli: ReturnType<typeof createDatabaseCli>
let warned: string
let sold: string
let now: { now: Date }
beforeAll(async () => {
  cli = createDatabaseCli(lending.databaseUrl)
  sold = (await addCritical(lending)).id
  await tick(lending)
  await tick(lending, MINUTE_MS)
  warned = (await addBorrowed(lending)).id
  await holdPrice(lending, '68000')
  now = { now: lending.now() }
})

describe('margin warnings', () => {
  test('lists the open ones, with what cures each and the time that is left', async () => {
    const { items } = await cli.read<{ items: object[] }>('margin warnings', now)
    expect(items).toMatchObject([
      { facility_id: warned, number: 1, tier: 1, status: 'OPEN', seconds_left: 48 * 3_600 },
    ])
    const text = await cli.show('margin warnings', now)
    expect(text).toMatch(new RegExp(`${warned} +1 +1 .*Z +\\d+\\.\\d\\d `))
    expect(await cli.show('margin warnings --tier 3', now)).toBe('No warning is open.\n')
  })

  test('shows one with what the custodian last answered', async () => {
    const text = await cli.show(
      `margin warning ${warned} 1 --tenant ${lending.tenantId}`.split(' '),
      now,
    )
    expect(text).toMatch(/^custodian read at +2026-11-20T/m)
    expect(text).toMatch(/^CUSTODIAN POSITIONS\nASSET +QUANTITY\nBTC +1$/m)
    // At the prices of now it is cured by nothing more.
    expect(text).toMatch(/^cure amount usd +0\.00$/m)
  })

  test.each(['--tier 4', '--due-before tomorrow', '--limit 0'])(
    'margin warnings %s is a usage error',
    async (options) => {
      expect((await cli.fail(`margin warnings ${options}`, now)).code).toBe('usage')
    },
  )
})

describe('margin calls', () => {
  test('lists those that have ended, and shows one with its orders and fills', async () => {
    expect(await cli.show('margin calls', now)).toBe('No margin call is running.\n')
    const { items } = await cli.read<{ items: object[] }>('margin calls --ended', now)
    expect(items).toMatchObject([
      { facility_id: sold, number: 1, status: 'COMPLETED', orders: [{ status: 'FILLED' }] },
    ])
    const text = await cli.show(`margin call ${sold} 1 --tenant ${lending.tenantId}`, now)
    expect(text).toMatch(/^outcome +partial$/m)
    expect(text).toMatch(/^ +1 +BTC +0\.\d+ .* FILLED +2026-11-20T.*Z .* 0\.\d+ \d+\.\d\d /m)
  })

  test('a call that does not exist is reported in one sentence', async () => {
    const error = await cli.fail(`margin call ${sold} 2 --tenant ${lending.tenantId}`, now)
    expect(error.message).toBe('There is no such margin call.')
  })
})

describe('margin timeline', () => {
  const timeline = (facilityId: string) =>
    `margin timeline ${facilityId} --tenant ${lending.tenantId}`

  test('shows the facility and what happened, newest first, each decision in words', async () => {
    const text = await cli.show(timeline(sold), now)
    expect(text).toMatch(/^running call +-$/m)
    const order = ['call ended', 'order filled', 'order placed', 'call started', 'decision']
    const places = order.map((what) => text.indexOf(` ${what} `))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(text).toContain('Margin call 1 began, after warning 1.')
    expect(text).toContain('Escalated, above the critical line of 0.83')
  })
})

describe('margin explain', () => {
  const explain = (facilityId: string, number: string, ...rest: string[]) =>
    cli.run(
      [
        ...`margin explain ${facilityId} ${number} --tenant ${lending.tenantId}`.split(' '),
        ...rest,
      ],
      now,
    )

  test('shows every decision with its inputs and computes it again', async () => {
    const { exitCode, out, error } = await explain(sold, '1')
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
    const kinds = out.match(/^Decision \d+: \w+/gm)
    expect(kinds).toEqual(['Decision 1: raise', 'Decision 2: escalate'])
    for (const text of ['debt usd', 'value high usd', 'haircut', 'tier 3 > 0.8', '59000']) {
      expect(out.toLowerCase()).toContain(text)
    }
    const linesOf = (name: string) =>
      out.match(new RegExp(`^${name} +.*$`, 'gm'))?.map((line) => line.replace(/^\w+ +/, ''))
    expect(linesOf('recomputed')).toEqual(linesOf('recorded'))
    const { decisions } = JSON.parse((await explain(sold, '1', '--json')).out)
    expect(decisions).toMatchObject([{ kind: 'raise' }, { kind: 'escalate' }])
  })

  test.each(['9', '0', 'x'])('reports the warning %s, which does not exist', async (number) => {
    expect(await explain(sold, number)).toMatchObject({
      ...{ exitCode: 1, out: '', error: expect.stringContaining('no such margin warning') },
    })
  })
})

test('where a record was tampered with, the timeline and explain say what comes out and exit with 1', async () => {
  await sql`
    UPDATE margin_decisions
    SET facts = jsonb_set(facts, '{positions,0,units}', '{"$int": "500000000"}')
    WHERE facility_id = ${warned}`.execute(lending.db)
  for (const [command, outcome] of [
    [`timeline ${warned}`, 'RECOMPUTED: nothing'],
    [`explain ${warned} 1`, 'nothing (DIFFERS)'],
  ] as const) {
    const { exitCode, out } = await cli.run(`margin ${command} --tenant ${lending.tenantId}`, now)
    expect([exitCode, out]).toEqual([1, expect.stringContaining(outcome)])
  }
})
