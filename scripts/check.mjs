// `npm run check`: format and lint, types, unused code. Reads only; runs all three, then says
// which failed.
import { spawnSync } from 'node:child_process'

const checks = [
  ['biome', 'ci', '--error-on-warnings'],
  ['tsc', '--noEmit'],
  ['knip', '--no-progress'],
]
const failed = checks.filter(([tool, ...args]) => {
  const { status } = spawnSync(tool, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  return status !== 0
})
const verdict =
  failed.length === 0 ? 'passed' : `failed: ${failed.map(([tool]) => tool).join(', ')}`
console.log(`check ${verdict}`)
process.exit(failed.length === 0 ? 0 : 1)
