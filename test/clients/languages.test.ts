import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INBOX_TABLES } from '../../src/client/index.ts'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'
import { databaseForFile } from '../support/stores/database.ts'
import { conformance } from './conformance.ts'
import { GO, installPython, MISSING, PYTHON, run } from './languages.ts'

const database = databaseForFile()

test('the conformance file has at least 60 cases, each with a name of its own', () => {
  const { signing, verifying, retries, chains, inbox } = conformance
  for (const cases of [signing, verifying, retries, chains, inbox]) {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  }
  expect([signing, verifying, retries, chains, inbox].flat().length).toBeGreaterThanOrEqual(60)
})

test('the tables of an inbox are the same in each language', () => {
  for (const file of [join(GO, 'inbox.sql'), join(PYTHON, 'src/lending_service/inbox.sql')]) {
    expect(readFileSync(file, 'utf8')).toBe(INBOX_TABLES)
  }
})

test('models have at most 4,000 lines, and the clients have the version of the document', () => {
  const root = new URL('../../', import.meta.url)
  const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
  for (const path of ['clients/python/src/lending_service/models.py', 'clients/go/models.go']) {
    expect(read(path).split('\n').length).toBeLessThan(4_000)
  }
  const { version } = JSON.parse(read('openapi.json')).info
  expect(read('clients/python/pyproject.toml')).toContain(`version = "${version}"`)
  expect(read('clients/go/README.md')).toContain(`@v${version}`)
})

test.skipIf(MISSING.python)(
  'the Python client is installed by pip, and passes the conformance file',
  { timeout: LONG_SCENARIO_MS },
  () => {
    const env = { ...process.env, DATABASE_URL: database.url }
    const tests = ['-W', 'error', '-m', 'unittest', 'discover', '-s', join(PYTHON, 'tests')]
    expect(run(installPython(), tests, { env })).toMatch(/Ran 9 tests[\s\S]*\nOK\n$/)
  },
)

test.skipIf(MISSING.go)(
  'the Go client is formatted, vetted, and passes the conformance file',
  { timeout: LONG_SCENARIO_MS },
  () => {
    expect(run('gofmt', ['-l', GO])).toBe('')
    const env = { ...process.env, DATABASE_URL: `${database.url}?sslmode=disable` }
    const options = { cwd: join(GO, 'tests'), env }
    const printed = run('go', ['test', '-count=1', '-v', './...'], options)
    const cases = [conformance.signing, conformance.inbox].flatMap((of) => [...of, ...of])
    const expected = cases.length + conformance.verifying.length + conformance.retries.length
    const passed = printed.match(/^ {4}--- PASS: /gm) ?? []
    expect(passed.length).toBeGreaterThanOrEqual(expected + conformance.chains.length)
  },
)
