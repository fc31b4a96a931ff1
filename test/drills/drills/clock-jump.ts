import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { untilAnswering } from '../../support/world/service.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic } from '../drill.ts'
import { openStack, type Stack } from '../world/stack.ts'

const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

/** Months are made for three in advance. */
const API_AHEAD = '+100d'
/** A worker deletes what is due by its clock: docs/clocks.md. */
const WORKER_AHEAD = '+10m'

/** By the API that is ahead, until the proxy has seen that it is not ready; then by the other, once a client. */
const REFUSED = /was answered 401 timestamp_out_of_range/

export const clockJump: Drill = {
  name: 'clock-jump',
  title: 'the clock of an API jumps ahead by 100 days, that of a worker by 10 minutes',
  aim: { gapMs: 5_000 },
  findObstacle: () => (LIBRARY ? undefined : 'it needs faketime: apt-get install faketime'),
  async run(stage) {
    const { folder } = stage.keep
    const clockOf = (name: string) => join(folder, `${name}.clock`)
    const launch = (name: string) => {
      writeFileSync(clockOf(name), '+0\n')
      const settings = {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: clockOf(name),
        FAKETIME_CACHE_DURATION: 1,
        FAKETIME_DONT_FAKE_MONOTONIC: 1,
      }
      return ['env', ...Object.entries(settings).map(([key, value]) => `${key}=${value}`)]
    }
    const stores = await startStores(stage.keep, { settings: CROWDED })
    const stack = await openStack(stage.keep, stores, { launch })
    const outcome = await drillUnderTraffic(stage, stack, async (traffic, watch) => {
      const [[api], [worker]] = [stack.apis, stack.workers]
      if (!api || !worker) throw new Error('there is no API, or no worker')
      writeFileSync(clockOf(api.child.name), `${API_AHEAD}\n`)
      writeFileSync(clockOf(worker.child.name), `${WORKER_AHEAD}\n`)
      const problems = await watch.untilAlarm('ClockOff')
      await traffic.untilServed(80)
      // As docs/clocks.md has it: no process sees its clock set back.
      const ends = [await api.stop(), await worker.stop()]
      problems.push(...ends.filter((how) => how !== 'exit code 0').map((how) => `ended by ${how}`))
      stack.apis[0] = await stack.startApi()
      stack.workers[0] = await stack.startWorker()
      await untilAnswering(stack.apis[0].inner)
      stack.announce()
      return problems
    })
    const problems = outcome.problems.filter((text) => !REFUSED.test(text))
    return { ...outcome, problems: [...problems, ...(await findPostponed(stack))] }
  },
}

/** What the jump has put off until the time that the wrong clock showed. */
async function findPostponed({ db }: Stack): Promise<string[]> {
  const { rows } = await sql<{ what: string; times: bigint }>`
    SELECT 'deliveries' AS what, count(*) AS times FROM deliveries WHERE state = 'pending'
    UNION ALL SELECT 'work ' || topic, count(*) FROM work
    WHERE clock = 'real' AND due_at > now() + interval '30 days' GROUP BY topic`.execute(db)
  return rows.filter(({ times }) => times > 0n).map(({ what, times }) => `${times} ${what} wait`)
}
