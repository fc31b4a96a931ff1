import { afterAll, beforeEach, expect, test } from 'vitest'
import { listResidencyRules } from '../../src/domain/onboarding/residency.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

type Rule = { country: string; state?: string; borrower_type: string; allowed: boolean }

const database = await createTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())
const cli = createDatabaseCli(database.url)
beforeEach(async () => {
  await database.db.deleteFrom('residency_policy').execute()
})

const set = (rest: string) => `residency set --country US --type individual ${rest}`
const readRules = async () => (await cli.read<{ items: Rule[] }>('residency list')).items

test.each([
  ['0.10', 100_000, '0.1'],
  ['0.095', 95_000, '0.095'],
  ['0.000001', 1, '0.000001'],
  ['0', 0, '0'],
  ['1', 1_000_000, '1'],
  ['0.290000', 290_000, '0.29'],
])(
  'the rate %s is stored as %i parts per million and printed as %s',
  async (text, ppm, printed) => {
    const answer = await cli.read(set(`--allow --rate ${text}`))
    expect((await listResidencyRules(database.db))[0]?.ratePpm).toBe(ppm)
    expect(answer).toMatchObject({ rate: printed })
  },
)

test.each([
  ['250000.00', 25_000_000n, '250000.00'],
  ['0.01', 1n, '0.01'],
  ['1.5', 150n, '1.50'],
  ['999999999999999999.99', 99_999_999_999_999_999_999n, '999999999999999999.99'],
])('the limit %s is stored to the cent', async (text, cents, printed) => {
  await cli.read(set(`--allow --max-limit ${text}`))
  expect((await listResidencyRules(database.db))[0]?.maxLimitCents).toBe(cents)
  expect((await readRules())[0]).toMatchObject({ max_limit_usd: printed })
})

test.each([
  ['--allow --rate 0.1234567', 'at most 6 digits'],
  ['--allow --rate 1e-2', 'Expected a decimal'],
  ['--allow --rate=-0.1', 'Expected a decimal'],
  ['--allow --rate .1', 'Expected a decimal'],
  ['--allow --rate 00.1', 'Expected a decimal'],
  ['--allow --rate 1.000001', 'from 0 to 1'],
  ['--allow --rate 10', 'from 0 to 1'],
  ['--allow --max-limit 1.005', 'at most 2 digits'],
  ['--allow --max-limit 0', 'above 0'],
  ['--allow --max-limit 1000000000000000000', 'Expected a decimal'],
  ['--allow --deny', 'cannot be used with'],
  ['--deny --rate 0.1', 'cannot be used with'],
  ['--state XX --allow', 'ISO 3166-2'],
  ['', 'Add --allow or --deny.'],
])('a rule with %s is refused and writes nothing', async (rest, reason) => {
  expect((await cli.fail(set(rest).trim())).message).toContain(reason)
  expect(await readRules()).toEqual([])
})

test.each([
  ['--country XX', 'ISO 3166-1'],
  ['--country us', 'ISO 3166-1'],
  ['--country DE --state BE', 'Expected no state for DE: leave it out.'],
])('a residency rule for the place %s is refused', async (place, reason) => {
  const failure = await cli.fail(`residency set ${place} --type business --allow`)
  expect(failure.message).toContain(reason)
})

test('a rule may apply to a whole country and to a state, and is replaced as a whole', async () => {
  await cli.read(set('--allow --rate 0.12'))
  await cli.read(set('--state HI --deny'))
  await cli.read(set('--allow --max-limit 5000'))
  expect(await readRules()).toEqual([
    { country: 'US', borrower_type: 'individual', allowed: true, max_limit_usd: '5000.00' },
    { country: 'US', state: 'HI', borrower_type: 'individual', allowed: false },
  ])
})

test('the sample policy keeps existing rules, adds the others once and states that it is not advice', async () => {
  await cli.read(set('--deny'))
  const seeded = await cli.read<{ items: Rule[]; notice: string }>('residency seed-sample')
  expect(seeded.notice).toContain('no legal advice')
  expect(seeded.items.length).toBeGreaterThan(0)

  const rules = await readRules()
  expect(rules).toHaveLength(seeded.items.length + 1)
  expect(rules).toContainEqual({ country: 'US', borrower_type: 'individual', allowed: false })
  expect(await cli.show('residency seed-sample')).toMatch(/exists already.*no legal advice/s)
  expect(await readRules()).toEqual(rules)
})

test('the residency policy is shown as a table', async () => {
  await cli.read(set('--state CA --allow --rate 0.095'))
  await cli.read(set('--state HI --deny'))
  expect(await cli.show('residency list')).toBe(
    [
      'COUNTRY  STATE  TYPE        ALLOWED  RATE   MAX LIMIT USD',
      'US       CA     individual  yes      0.095  default',
      'US       HI     individual  no       -      -',
      '',
    ].join('\n'),
  )
})
