// npm run test:all: every suite. Two lanes run side by side: the first keeps the cores busy, the second
// mostly waits for processes that start and die. What a suite prints is shown when it has ended, and how a
// test failed once more at the end: who keeps only the end of the output sees it. The last line is
// `N passed, N failed`, for all of them together.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'

const LANES = [
  [['test'], ['test:browser', '--maxWorkers=3']],
  [
    ...[['test:processes', '--maxWorkers=2'], ['test:faults'], ['test:plans']],
    ['test:floods', '--maxWorkers=2'],
    ['test:clients', '--maxWorkers=2'],
  ],
]

/** How many lines of each failed suite are shown again. */
const SHOWN_AGAIN = 40

const startedAt = performance.now()
const seconds = () => Math.round((performance.now() - startedAt) / 1_000)

/** What a suite's last line counts; one that ends without a count has failed. */
async function run([script, ...args]) {
  const begun = seconds()
  const child = spawn('npm', ['--silent', 'run', script, '--', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
  }
  const [status] = await once(child, 'close')
  const [, passed, failed] = [...printed.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? [
    0, 0, 1,
  ]
  process.stdout.write(`\n── npm run ${script}, second ${begun} to ${seconds()}\n\n${printed}`)
  // A failure that no test counts, such as an error between tests, is one all the same.
  const failures = status === 0 ? Number(failed) : Math.max(1, Number(failed))
  return { script, passed: Number(passed), failed: failures, printed }
}

/** The lines from a suite's first failed test on; its last lines where no test failed. */
function failureOf({ script, printed }) {
  const lines = stripVTControlCharacters(printed).trimEnd().split('\n')
  const first = lines.findIndex((line) => /⎯ (Failed|Unhandled) /.test(line))
  const shown = first === -1 ? lines.slice(-SHOWN_AGAIN) : lines.slice(first, first + SHOWN_AGAIN)
  return `\n── failed: npm run ${script}\n\n${shown.join('\n')}`
}

async function runLane(suites) {
  const counts = []
  for (const suite of suites) counts.push(await run(suite))
  return counts
}

const counts = (await Promise.all(LANES.map(runLane))).flat()
for (const count of counts) if (count.failed > 0) console.log(failureOf(count))
const sum = (kind) => counts.reduce((total, count) => total + count[kind], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1
