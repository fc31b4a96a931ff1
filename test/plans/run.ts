// npm run test:plans: explains every statement of the queries files over a database of a crash day's
// size. See docs/plans.md.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type PlanOptions, plansCommand, readOptions } from '../support/runs/options.ts'
import { type Run, runProgram } from '../support/runs/run.ts'
import { openKeep } from '../support/world/keep.ts'
import { QUERY_FILES } from './calls/all.ts'
import { describePlan } from './check-plan.ts'
import { type Bench, checkSubject, type Subject, subjectsOf } from './check-queries.ts'
import { takeSamples } from './sample.ts'
import { readPlanNotes } from './source-notes.ts'
import { startCrashDay } from './start-crash-day.ts'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))

const options = readOptions<PlanOptions>(plansCommand())

// As the service's own pool reads them.
const EXACT_NUMBERS = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const isInteger = oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
    return isInteger ? BigInt : pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

await runProgram(main, { isQuiet: true })

async function main(run: Run): Promise<void> {
  const startedAt = Date.now()
  await using keep = openKeep('plans')
  const databaseUrl = options.url ?? (await startCrashDay(keep))
  run.say(`The crash day stands after ${seconds(startedAt)} s.`)
  const client = new pg.Client({ connectionString: databaseUrl, types: EXACT_NUMBERS })
  await client.connect()
  keep.defer(() => client.end())
  await client.query('SET statement_timeout = 30000')
  const bench = { client, samples: await takeSamples(client), sizes: await readSizes(client) }
  await checkFiles(bench, run)
  run.say(`Checked after ${seconds(startedAt)} s.`)
  if (!options.keep) return
  run.say(`Kept until Ctrl-C: ${databaseUrl}`)
  await new Promise(() => undefined)
}

/** A queries file that has no calls is a failure; so is a function of one. */
async function checkFiles(bench: Bench, { report }: Run): Promise<void> {
  for (const path of globSync('**/*queries*.ts', { cwd: SOURCES }).sort()) {
    const file = QUERY_FILES.find((known) => known.path === path)
    if (file === undefined) {
      report(path, ['has no calls in test/plans/calls/'])
      continue
    }
    const notes = readPlanNotes(readFileSync(`${SOURCES}${path}`, 'utf8'))
    const { subjects, missing } = subjectsOf(file, notes)
    for (const problem of missing) report(path, [problem])
    for (const subject of subjects) {
      const name = `${path} ${subject.name}`
      if (options.only === undefined || name.includes(options.only)) {
        report(name, await checkOne(bench, subject))
      }
    }
  }
}

async function checkOne(bench: Bench, subject: Subject): Promise<string[]> {
  const { problems, explained, ms } = await checkSubject(bench, subject)
  if (options.only !== undefined) {
    console.log(`${subject.name}, ${ms} ms`)
    for (const { text, isGeneric, ms, plan } of explained) {
      console.log(`${text}\n${isGeneric ? 'generic' : 'custom'}, ${ms} ms`)
      console.log(`${describePlan(plan).join('\n')}\n`)
    }
  }
  return problems
}

/** Rows of each table, and of each partition. */
async function readSizes(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query(
    `SELECT relname, CASE WHEN relkind = 'r' THEN reltuples ELSE (
         SELECT sum(child.reltuples) FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
         WHERE inhparent = pg_class.oid) END AS size
     FROM pg_class WHERE relkind IN ('r', 'p')
       AND relnamespace = current_schema()::regnamespace`,
  )
  return new Map(rows.map(({ relname, size }) => [relname, Number(size)]))
}

function seconds(startedAt: number): string {
  return ((Date.now() - startedAt) / 1_000).toFixed(0)
}
