import { beforeEach, expect, test } from 'vitest'
import { listResidencyRules } from '../../src/domain/onboarding/residency.ts'
import { databaseCliForFile } from './database-cli.ts'

const { database, cli } = databaseCliForFile()
beforeEach(async () => {
  await database.db.deleteFrom('residency_policy').execute()
})

const set = (rest: string) => `residency set --country US --type individual ${rest}`
const readRules = async () => (await cli.read<{ items: object[] }>('residency list')).items

test.each([
  ['--rate 0.10', { ratePpm: 100_000 }, { rate: '0.1' }],
  ['--rate 0.000001', { ratePpm: 1 }, { rate: '0.000001' }],
  ['--rate 0', { ratePpm: 0 }, { rate: '0' }],
  ['--rate 1', { ratePpm: 1_000_000 }, { rate: '1' }],
  ['--rate 0.290000', { ratePpm: 290_000 }, { rate: '0.29' }],
  ['--max-limit 0.01', { maxLimitCents: 1n }, { max_limit_usd: '0.01' }],
  ['--max-limit 1.5', { maxLimitCents: 150n }, { max_limit_usd: '1.50' }],
  [
    '--max-limit 999999999999999999.99',
    { maxLimitCents: 99_999_999_999_999_999_999n },
    { max_limit_usd: '999999999999999999.99' },
  ],
])('%s is stored exactly and printed', async (option, stored, printed) => {
  expect(await cli.read(set(`--allow ${option}`))).toMatchObject(printed)
  expect(await listResidencyRules(database.db)).toMatchObject([stored])
  expect(await readRules()).toMatchObject([printed])
})

test.each([
  ['--allow --rate 0.1234567', 'at most 6 digits'],
  ['--allow --rate 1e-2', 'Expected a decimal'],
  ['--allow --rate=-0.1', 'Expected a decimal'],
  ['--allow --rate 00.1', 'Expected a decimal'],
  ['--allow --rate 1.000001', 'from 0 to 1'],
  ['--allow --max-limit 1.005', 'at most 2 digits'],
  ['--allow --max-limit 0', 'above 0'],
  ['--allow --max-limit 1000000000000000000', 'Expected a decimal'],
  ['--allow --deny', 'cannot be used with'],
  ['--deny --rate 0.1', 'cannot be used with'],
  ['--state XX --allow', 'ISO 3166-2'],
  ['--country XX --allow', 'ISO 3166-1'],
  ['--country DE --state BE --allow', 'Expected no state for DE: leave it out.'],
  ['', 'Add --allow or --deny.'],
])('a rule with %s is refused and writes nothing', async (rest, reason) => {
  expect((await cli.fail(set(rest).trim())).message).toContain(reason)
  expect(await readRules()).toEqual([])
})

test('the policy is shown as a table, and the sample keeps its rules, adds the others once and states that it is not advice', async () => {
  await cli.read(set('--state CA --allow --rate 0.095'))
  await cli.read(set('--state HI --deny'))
  expect(await cli.show('residency list')).toBe(
    [
      'COUNTRY  STATE  BORROWER TYPE  ALLOWED   RATE  MAX LIMIT USD',
      'US       CA     individual     yes      0.095  -',
      'US       HI     individual     no           -  -',
      '',
    ].join('\n'),
  )
  const kept = await readRules()
  const seeded = await cli.read<{ items: object[]; notice: string }>('residency seed-sample')
  expect(seeded.notice).toContain('no legal advice')
  const rules = await readRules()
  expect(rules).toHaveLength(seeded.items.length + kept.length)
  expect(rules).toEqual(expect.arrayContaining(kept))
  expect(await cli.show('residency seed-sample')).toMatch(/exists already.*no legal advice/s)
  expect(await readRules()).toEqual(rules)
})
