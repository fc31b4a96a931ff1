// `npm run check`: format and lint, promises that nothing handles, types, unused code, and whether the
// OpenAPI document, the types made of it, the event catalogue and the schema are what the sources make,
// whether the interface has what was released,
// the alarms where promtool is there, and tests of the text of files (compose files, alarms, links).
// Writes only what git ignores; runs all of them, one for each core at a time, prints what each says,
// then which failed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'

// Those that take longest come first. Threads of one check would only take cores from the others:
// tsc and oxlint's types are written in Go.
const env = { ...process.env, GOMAXPROCS: '1' }
const TYPES = ['tsc', '--noEmit', '--checkers', '1']
const checks = {
  openapi: ['node', 'scripts/openapi.ts', '--check'],
  // Of pages too: it takes the tsconfig.json that is nearest to a file.
  promises: ['oxlint', '--type-aware', '--threads', '1'],
  types: TYPES,
  alarms: ['node', 'scripts/check-alarms.mjs'],
  biome: ['biome', 'ci', '--error-on-warnings'],
  schema: ['node', 'scripts/schema.ts', '--check'],
  texts: ['vitest', 'run', '--mode', 'check'],
  knip: ['knip', '--no-progress'],
  console: [...TYPES, '--project', 'src/console'],
  desk: [...TYPES, '--project', 'src/desk'],
  events: ['node', 'scripts/event-catalogue.ts', '--check'],
  released: ['node', 'scripts/check-released.ts'],
}

/** They read the types that `openapi` makes and the repository does not have. */
const AFTER_OPENAPI = ['promises', 'knip', 'console', 'desk']

/** Whether it passed. What it prints is kept together. */
async function run(name, [tool, ...args]) {
  const child = spawn(tool, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
  }
  const [status] = await once(child, 'close')
  if (printed !== '') process.stdout.write(`\n── ${name}\n${printed}`)
  return status === 0
}

const limit = pLimit(availableParallelism())
const names = Object.keys(checks)
const start = (name) => limit(() => run(name, checks[name]))
const made = start('openapi')
const passed = await Promise.all(
  names.map((name) => {
    if (name === 'openapi') return made
    return AFTER_OPENAPI.includes(name) ? made.then(() => start(name)) : start(name)
  }),
)
const failed = names.filter((_, at) => !passed[at])
console.log(`check ${failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`}`)
process.exitCode = failed.length === 0 ? 0 : 1
