import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { QUERY_FILES } from '../plans/calls/all.ts'
import { type Subject, subjectsOf } from '../plans/check-queries.ts'
import type { QueriesFile } from '../plans/queries-file.ts'
import { sampleOf } from '../plans/sample.ts'
import { type RoutingNote, readRoutingNotes } from '../plans/source-notes.ts'
import { checkRouting, type Routing } from './check-routing.ts'
import { recordStatements } from './record-statements.ts'

// A database that is sharded by tenant sends a statement to one server if it names its tenant in every
// part. Every function of the queries files is called here, with a connection that stores nothing.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** They name a tenant and stay on the coordinator, which reads them before it knows the tenant. */
const LOCAL = ['absent_tenants', 'api_key_owners', 'tenant_list']

const TABLES = readTables(readFileSync(`${ROOT}migrations/schema.txt`, 'utf8'))

const NOW = new Date('2026-11-20T12:00:00Z')
const EVENT = { id: `evt_${'0'.repeat(25)}1`, recordedAt: NOW, sequence: 7n }

const SAMPLE = { ...sampleOf(`ten_${'0'.repeat(25)}1`, 50_000, EVENT, NOW), distributed: true }

test('every queries file of the sources is read here', () => {
  const paths = globSync('**/*queries*.ts', { cwd: `${ROOT}src` })
  expect(QUERY_FILES.map(({ path }) => path).sort()).toEqual(paths.sort())
})

test.each(QUERY_FILES.map((file) => [file.path, file] as const))(
  'the statements of %s can be routed to their tenant, or are declared',
  async (_path, file) => {
    expect(await findProblems(file)).toEqual([])
  },
)

async function findProblems(file: QueriesFile): Promise<string[]> {
  const notes = readRoutingNotes(readFileSync(`${ROOT}src/${file.path}`, 'utf8'))
  const { subjects, missing } = subjectsOf(file, new Map())
  const problems = [...missing]
  for (const { name, call } of subjects) {
    const noted = notes.get(name.split(':')[0] ?? name) ?? []
    const statements = await recordStatements(call, SAMPLE)
    if (statements.length === 0) problems.push(`${name} sends no statement`)
    const routings = statements.map((statement) => checkRouting(statement, (t) => TABLES.get(t)))
    problems.push(
      ...new Set(
        routings.flatMap((one) => problemsOf(one, noted).map((problem) => `${name} ${problem}`)),
      ),
    )
    if (isOneServers(noted) && !hasFormOfOne(routings) && !namesAnother(noted, subjects, name)) {
      problems.push(`${name} has no form of one tenant, and its note names no other function`)
    }
    if (noted.length > 0 && routings.every(({ toOne }) => toOne.length === 0)) {
      problems.push(`${name} has a note that it does not need`)
    }
  }
  return problems
}

const isOneServers = (notes: readonly RoutingNote[]) =>
  notes.some(({ kind }) => kind === 'one server')

const hasFormOfOne = (routings: readonly Routing[]) =>
  routings.some(({ toOne, tenants }) => toOne.length === 0 && tenants.size === 1)

const namesAnother = (notes: readonly RoutingNote[], subjects: readonly Subject[], name: string) =>
  subjects.some(
    (other) => other.name !== name && notes.some(({ reason }) => reason.includes(other.name)),
  )

function problemsOf({ toOne, toAll }: Routing, notes: readonly RoutingNote[]): readonly string[] {
  if (toOne.length === 0 || notes.some(({ kind }) => kind === 'one server')) return []
  if (notes.length === 0) return toOne
  return toAll.map((problem) => `is across tenants and ${problem}`)
}

/** Whether each table, and each view, has a tenant. */
function readTables(schema: string): Map<string, boolean> {
  const tables = new Map<string, boolean>()
  for (const part of schema.split(/^(?:TABLE|VIEW) /m).slice(1)) {
    const name = /^\w+/.exec(part)?.[0] ?? ''
    const hasTenant = /^ {2}tenant_id text/m.test(part) && !LOCAL.includes(name)
    tables.set(name, hasTenant || tables.get(name) === true)
  }
  return tables
}
