// npm run test:histories: random histories of loans and of margin, each made of its seed, so that a range
// can be played in parts and a history that failed again. See docs/development.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type HistoryOptions, historiesCommand, readOptions } from '../support/runs/options.ts'
import { runProgram } from '../support/runs/run.ts'

/** Of one database, which would grow slow with more. */
const AT_ONCE = 50

const { seeds } = readOptions<HistoryOptions>(historiesCommand())

await runProgram(async ({ say, report }) => {
  for (let first = seeds.first; first <= seeds.last; first += AT_ONCE) {
    const range = `${first}-${Math.min(first + AT_ONCE - 1, seeds.last)}`
    const begun = Date.now()
    const printed = await play(range)
    report(`seeds ${range} of both kinds, ${Math.round((Date.now() - begun) / 1_000)} s`, printed)
    for (const line of printed) say(line)
  }
})

/** What the tests printed of the range where one failed. */
async function play(range: string): Promise<string[]> {
  const child = spawn('vitest', ['run', 'random-history'], {
    env: { ...process.env, HISTORY_SEEDS: range },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const [status] = await once(child, 'close')
  return status === 0 ? [] : printed.split('\n')
}
