// npm run test:citus: the test suite and the fault run on the Citus cluster of CITUS_URL. With arguments
// only the test files that they name.
import { spawnSync } from 'node:child_process'

const files = process.argv.slice(2)
const steps = [
  ['vitest', 'run', '--mode', 'citus', ...files],
  ...(files.length === 0 ? [['node', 'test/faults/run.ts', '--citus']] : []),
]
for (const [tool = '', ...args] of steps) {
  const { status } = spawnSync(tool, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
