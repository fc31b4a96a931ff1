import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INBOX_TABLES } from '../../src/client/index.ts'
import { apiForFile } from '../support/api/api.ts'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'
import { databaseForFile } from '../support/stores/database.ts'
import { type Language, MISSING, receiverCommand } from './languages.ts'
import { APPLIED_TABLE, playSeed } from './seed.ts'

/** `CLIENT_SEEDS=100 npm run test:clients -- seeds` plays more. */
const { CLIENT_SEEDS = '5' } = process.env
const SEEDS = Array.from({ length: Number(CLIENT_SEEDS) }, (_, at) => at + 1)

const languages = (Object.keys(MISSING) as Language[]).filter((name) => MISSING[name] === undefined)

describe.each(languages)('a receiver in %s', (language) => {
  const api = apiForFile()
  const database = databaseForFile()
  const kills = new Map<string, number>()
  let pool: pg.Pool
  let command: [string, ...string[]]
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: database.url, max: 2 })
    await pool.query(INBOX_TABLES + APPLIED_TABLE)
    command = receiverCommand(language)
  }, LONG_SCENARIO_MS)
  afterAll(async () => {
    await pool.end()
    if (SEEDS.length > 5)
      console.log(
        language,
        Object.fromEntries([...kills].sort(([left], [right]) => left.localeCompare(right))),
      )
  })

  test.concurrent.for(SEEDS)(
    'that is killed, doubled, robbed and kept in disorder has the log in its table, seed %i',
    { timeout: LONG_SCENARIO_MS },
    async (seed, context) => {
      const world = { api, databaseUrl: database.url, pool, command }
      const { expected, found, disordered, twice, kills: seen } = await playSeed(world, seed)
      for (const kill of seen) kills.set(kill, (kills.get(kill) ?? 0) + 1)
      context.expect(disordered).toEqual([])
      context.expect(twice).toEqual([])
      context.expect(found).toEqual({ ...expected, appliedSequence: expected.sequences.at(-1) })
      context.expect(seen.length).toBeGreaterThan(0)
    },
  )
})

test('seeds are played for at least one language', () => {
  expect(languages).toContain('typescript')
})
