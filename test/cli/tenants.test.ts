import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listRequiredDocuments } from '../../src/domain/onboarding/documents.ts'
import { databaseCliForFile } from './database-cli.ts'

const { database, cli } = databaseCliForFile()

const idIn = (text: string) => /\bten_[0-9a-z]{26}\b/.exec(text)?.[0] ?? ''
const stepsIn = (text: string) => text.split('\n').filter((line) => /^ +\d+\. /.test(line))

test('creating a tenant prints every step to its first loan, in order', async () => {
  const shown = await cli.show('tenants create Acme')
  const id = idIn(shown)
  const steps = stepsIn(shown)
  expect(steps.map((step) => step.trim()[0]).join('')).toBe('1234567')
  const expected = [
    `cli keys generate --tenant ${id}`,
    `cli documents publish --tenant ${id} --type master_loan_agreement`,
    'cli residency seed-sample',
    'POST /v1/borrowers/{id}/signatures for each document',
    `cli borrowers review --tenant ${id}`,
    'then POST /v1/facilities',
    'POST /v1/facilities/{id}/draws',
  ]
  for (const [at, part] of expected.entries()) expect(steps[at]).toContain(part)
  expect(await listRequiredDocuments(database.db, id)).toEqual([])
})

test('with sample documents a new tenant’s borrowers have documents to sign, and that step is not printed', async () => {
  const shown = await cli.show('tenants create Acme --with-sample-documents')
  expect(shown).not.toContain('documents publish')
  const documents = await listRequiredDocuments(database.db, idIn(shown))
  const types = documents.map((document) => document.contractType)
  expect(types).toEqual(['borrower_disclosures', 'master_loan_agreement'])
  const json = await cli.read<object>('tenants create Acme --with-sample-documents')
  expect(json).toMatchObject({ documents: [...types].reverse() })
})

test('a step that is done for every tenant is not printed again', async () => {
  await cli.read('residency seed-sample')
  expect(await cli.show('tenants create Acme')).not.toContain('residency')
})

test('on live, sample documents are refused and no tenant is created', async () => {
  const before = await cli.read('tenants list')
  const env = { STACK: 'live' }
  await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  expect(await cli.fail('tenants create Acme --with-sample-documents', { env })).toEqual({
    code: 'validation_failed',
    message:
      'The sample documents are for the sandbox: on live publish the contracts of your counsel.',
  })
  expect(await cli.read('tenants list', { env })).toEqual(before)
  expect(await cli.show('tenants create Acme', { env })).toContain('Next:')
  await sql`UPDATE stack SET name = 'sandbox'`.execute(database.db)
})

test('with four eyes, the steps that creating a tenant prints are commands that work, in their order', async () => {
  await sql`DELETE FROM residency_policy`.execute(database.db)
  const env = { FOUR_EYES: 'on', PUBLIC_URL: 'https://api.example.com' }
  const values: Record<string, string> = {
    ...{ address: 'ada@lender.example', name: 'Ada', text: 'Agreement', why: 'licence' },
    ...{ 'YYYY-MM': '2026-11', 'https://…': 'https://lender.example/mla.pdf' },
    ...{ 'one operator': 'ada@lender.example', 'the other operator': 'grace@lender.example' },
  }
  const commands = stepsIn(await cli.show('tenants create Acme', { env })).flatMap(
    (step) => /: cli (.+)$/.exec(step)?.[1] ?? [],
  )
  expect(commands).toHaveLength(6)
  const fill = (command: string) =>
    command
      .split(/ (?![^<]*>)/)
      .map((part) => part.replace(/^<(.+)>$/, (_all, name) => values[name] ?? name))
  for (const command of commands) {
    const { exitCode, out, error } = await cli.run(fill(command), { env })
    expect({ command, exitCode, error }).toEqual({ command, exitCode: 0, error: '' })
    values['apr_…'] = /\bapr_[0-9a-z]{26}\b/.exec(out)?.[0] ?? values['apr_…'] ?? ''
    if (command.startsWith('operators invite')) {
      const grace = fill(command).map((part) => part.replace('ada@', 'grace@'))
      await cli.show(grace, { env })
    }
  }
  expect(await cli.show('tenants create Other', { env })).not.toContain('operators invite')
  expect(await cli.show('residency list')).toContain('US')
})
