import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Keep } from '../../support/world/keep.ts'
import { untilAnswering } from '../../support/world/service.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic, findMissingRoot } from '../drill.ts'
import { openStack, type Stack } from '../world/stack.ts'
import { MOST_MS } from '../world/watch.ts'

/** docs/monitoring.md: while writes fail, within so long no process is ready. */
const UNREADY_WITHIN_MS = 10_000

const BACK_WITHIN_MS = 30_000

/** So that what PostgreSQL keeps for itself leaves room on a small disk. */
const SMALL = { max_wal_size: '64MB', min_wal_size: '32MB' }

export const diskFull: Drill = {
  name: 'disk-full',
  title: "PostgreSQL's disk is full until an alarm has fired",
  aim: { gapMs: MOST_MS + BACK_WITHIN_MS },
  findObstacle: findMissingRoot,
  async run(stage) {
    const disk = mountDisk(stage.keep)
    const stores = await startStores(stage.keep, {
      settings: { ...CROWDED, ...SMALL },
      parent: disk.folder,
    })
    const { postgres } = stores
    const stack = await openStack(stage.keep, stores)
    return await drillUnderTraffic(stage, stack, async (traffic, watch) => {
      using _full = disk.fill()
      await traffic.untilFailed()
      const failedAt = performance.now()
      const problems: string[] = []
      await untilUnready(stack)
      const ms = Math.round(performance.now() - failedAt)
      stage.say(`not ready ${ms} ms after the first write that failed`)
      if (ms > UNREADY_WITHIN_MS) problems.push(`not ready only after ${ms} ms`)
      problems.push(...(await watch.untilPaged()))
      disk.empty()
      const back = performance.now()
      // Without room for its log it ends, and its supervisor starts it.
      await postgres.start()
      await Promise.all([...stack.apis, ...stack.workers].map(({ inner }) => untilAnswering(inner)))
      await traffic.untilServed(20)
      const backMs = Math.round(performance.now() - back)
      stage.say(`served and ready ${backMs} ms after there was room`)
      if (backMs > BACK_WITHIN_MS) problems.push(`it took ${backMs} ms to serve again`)
      return problems
    })
  },
}

/** A file system of 256 MB, in memory. */
function mountDisk(keep: Keep) {
  const folder = join(keep.folder, 'disk')
  mkdirSync(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=0777', 'tmpfs', folder])
  keep.onMounted(folder)
  const filler = (name: string) => join(folder, name)
  let count = 0
  const fillOnce = () => {
    count += 1
    const to = `of=${filler(`filler-${count}`)}`
    spawnSync('dd', ['if=/dev/zero', to, 'bs=64k'])
    spawnSync('dd', ['if=/dev/zero', `${to}.small`, 'bs=4k'])
  }
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)
  return {
    folder,
    /** Room that PostgreSQL gives up is taken too. */
    fill() {
      fillOnce()
      timer = setInterval(fillOnce, 1_000)
      return { [Symbol.dispose]: stop }
    },
    empty() {
      stop()
      for (; count > 0; count -= 1) {
        for (const end of ['', '.small']) rmSync(filler(`filler-${count}${end}`), { force: true })
      }
    },
  }
}

async function untilUnready({ apis }: Stack): Promise<void> {
  for (const { inner } of apis) {
    const until = performance.now() + MOST_MS
    while ((await isReady(inner)) && performance.now() < until) await pause(100)
  }
}

const isReady = async (inner: string) =>
  await fetch(`${inner}/readyz`).then(
    ({ ok }) => ok,
    () => true,
  )
