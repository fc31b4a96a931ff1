// `npm run check`: format and lint, types, unused code, and whether the OpenAPI document, the types
// made of it, the event catalogue and the schema are what the sources make, the alarms where promtool is
// there, and tests of the text of files (compose files, alarms, links). Reads only; runs all of them, then prints which failed.
import { spawnSync } from 'node:child_process'

const checks = {
  biome: ['biome', 'ci', '--error-on-warnings'],
  types: ['tsc', '--noEmit'],
  console: ['tsc', '--noEmit', '--project', 'tsconfig.console.json'],
  desk: ['tsc', '--noEmit', '--project', 'tsconfig.desk.json'],
  knip: ['knip', '--no-progress'],
  openapi: ['node', 'scripts/openapi.ts', '--check'],
  events: ['node', 'scripts/event-catalogue.ts', '--check'],
  schema: ['node', 'scripts/schema.ts', '--check'],
  alarms: ['node', 'scripts/check-alarms.mjs'],
  texts: ['vitest', 'run', '--mode', 'check'],
}
const failed = Object.keys(checks).filter((name) => {
  const [tool, ...args] = checks[name]
  const { status } = spawnSync(tool, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  return status !== 0
})
const verdict = failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`
console.log(`check ${verdict}`)
process.exit(failed.length === 0 ? 0 : 1)
