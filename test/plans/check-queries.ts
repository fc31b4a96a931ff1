import type pg from 'pg'
import type { Tx } from '../../src/db/database.ts'
import { termsOf } from '../../src/domain/audit/audit.ts'
import type { Check, Scan } from '../../src/domain/audit/check.ts'
import { checkPlan, rowsFound } from './check-plan.ts'
import { type Explained, explainStatements } from './explain.ts'
import type { QueriesFile } from './queries-file.ts'
import type { Call, Sample } from './sample.ts'
import type { PlanNote } from './source-notes.ts'

/** An exported function that sends statements, or an audit's check. */
export type Subject = { name: string; call: Call; notes: readonly PlanNote[] }

export type Verdict = { problems: string[]; explained: Explained[]; ms: number }

export type Bench = {
  client: pg.Client
  samples: readonly { name: string; sample: Sample }[]
  sizes: ReadonlyMap<string, number>
}

const EVERYTHING = 'everything'

/** The functions of a file with their calls; a problem for each that has none. */
export function subjectsOf(
  file: QueriesFile,
  notes: ReadonlyMap<string, readonly PlanNote[]>,
): { subjects: Subject[]; missing: string[] } {
  const subjects: Subject[] = []
  const missing: string[] = []
  for (const [name, exported] of Object.entries(file.module)) {
    const noted = notes.get(name) ?? []
    const call = file.calls[name]
    if (call !== undefined) subjects.push({ name, call, notes: noted })
    else if (isAsync(exported)) missing.push(`${name} is called nowhere in test/plans/calls/`)
    for (const check of checksIn(exported)) {
      const find: Call = async (tx, sample) => {
        for (const scan of await check.scans((run) => run(tx))) await findAt(scan, tx, sample)
      }
      subjects.push({ name: `${name}: ${check.name}`, call: find, notes: noted })
    }
  }
  return { subjects, missing }
}

/** On a distributed database a page is of one tenant. */
async function findAt(scan: Scan, tx: Tx, { distributed, tenantId }: Sample): Promise<void> {
  const [first, ...rest] = scan.subjects.key
  const isOfTenants = first?.name === 'tenant_id'
  if (!distributed || !isOfTenants) {
    await scan.find(tx, [], TERMS, 101)
    return
  }
  const key = [tenantId, ...rest.map(({ type }) => SOME_VALUE[type] ?? '')]
  await scan.find(tx, [key], { ...TERMS, tenantId }, 101)
}

const SOME_VALUE: Readonly<Record<string, string>> = {
  integer: '1',
  bigint: '1',
  timestamptz: '2026-11-20T12:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
}

const TERMS = termsOf({ hasSimulation: false })

const isAsync = (value: unknown) =>
  typeof value === 'function' && value.constructor.name === 'AsyncFunction'

function checksIn(value: unknown): readonly Check[] {
  return Array.isArray(value) && value.every((item) => typeof item?.scans === 'function')
    ? value
    : []
}

/** Explains what a function sends for each of the samples. */
export async function checkSubject(bench: Bench, subject: Subject): Promise<Verdict> {
  const allowed = new Set(subject.notes.flatMap(({ tables }) => tables))
  const mode = allowed.has(EVERYTHING) ? 'plan' : 'run'
  const problems: string[] = []
  const explained: Explained[] = []
  const startedAt = Date.now()
  for (const { name, sample } of bench.samples) {
    try {
      const { explained: ofSample, sent } = await explainStatements(bench.client, mode, (tx) =>
        subject.call(tx, sample),
      )
      if (sent === 0) problems.push('sends no statement')
      explained.push(...ofSample)
      if (mode === 'plan') break
      for (const statement of ofSample) {
        const found = findProblems(bench, statement, allowed)
        const where = `${name}, planned for ${statement.isGeneric ? 'any' : 'these'} parameters`
        problems.push(...found.map((problem) => `${problem} (${where})`))
      }
    } catch (error) {
      problems.push(`fails for ${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  if (
    mode === 'run' &&
    explained.length > 0 &&
    explained.every(({ plan }) => rowsFound(plan) === 0)
  ) {
    problems.push('finds nothing: its parameters are of nothing that exists')
  }
  return { problems: [...new Set(problems)], explained, ms: Date.now() - startedAt }
}

/** Problems of a plan, but for those of tables that the function may read. */
function findProblems(
  { sizes }: Bench,
  { plan, asked }: Explained,
  allowed: ReadonlySet<string>,
): string[] {
  const problems = checkPlan(plan, { sizes, asked })
  return problems.filter(({ table }) => !allowed.has(table)).map(({ problem }) => problem)
}
