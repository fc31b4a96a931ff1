import { setTimeout as pause } from 'node:timers/promises'
import { Redis as RedisClient } from 'ioredis'
import { untilAnswering } from '../support/world/service.ts'
import type { Random } from './actors/random.ts'
import { storm } from './actors/storms.ts'
import type { Tenant } from './actors/tenant.ts'
import { takeOver, within } from './checks/in-time.ts'
import { type Disturbances, EVERYTHING, type Target } from './disturbances.ts'
import { hold, holdOne, killOne, processOf, restart, seeOrphansEnd } from './victims.ts'
import type { Command } from './world/command.ts'
import { findOpen, resolveOpen } from './world/open-keys.ts'
import type { World } from './world/world.ts'

/** Something to do to the world, and to undo again; chosen by the seed alone. */
export type PlannedFault = {
  atMs: number
  name: FaultName
  /** Which of the two APIs or workers, or which tenant. */
  which: number
  /** Which of the processes of that API or worker; undefined: all. */
  process: number | undefined
  holdMs: number
}

export type FaultName = keyof typeof FAULTS

export type FaultContext = {
  world: World
  tenants: readonly Tenant[]
  disturbances: Disturbances
  /** Receives what was measured. */
  report(text: string): void
  /** Receives what lasted longer than it may. */
  complain(text: string): void
}

/** `recovered` is called once the target is well: its unfinished work may not be claimed yet. */
type Fault = (context: FaultContext & { recovered(): void }, fault: PlannedFault) => Promise<void>

/** How often, of all, a fault of this kind is chosen, and how long it is held, in seconds. */
const WEIGHTS: Record<FaultName, { weight: number; hold: [short: number, long: number] }> = {
  'kill an API': { weight: 3, hold: [2, 5] },
  'kill a worker': { weight: 4, hold: [2, 8] },
  'pause a worker': { weight: 3, hold: [7, 30] },
  'pause an API': { weight: 1, hold: [3, 10] },
  'kill PostgreSQL': { weight: 3, hold: [2, 5] },
  'kill Redis': { weight: 2, hold: [4, 15] },
  'pause Redis': { weight: 2, hold: [20, 20] },
  'kill everything': { weight: 1, hold: [1, 3] },
  'empty Redis': { weight: 3, hold: [0, 0] },
  'one key at once': { weight: 3, hold: [0, 0] },
}

/** The reliability page's bounds. */
const SERVING_AGAIN_MS = 10_000
const DECIDED_MS = 10_000

const FAULTS = {
  async 'kill an API'(context, fault) {
    const { world, tenants, recovered } = context
    const origin = world.origins[fault.which % 2] ?? ''
    const open = findOpen(tenants, origin)
    const needed = [EVERYTHING, 'postgres', other('api', fault.which)] as const
    const resolve = () =>
      within(context, DECIDED_MS, needed, async () => {
        await resolveOpen(open)
        return `${open.length} requests that it had in hand were decided`
      })
    const begin = async () => {
      const startAgain = await killOne(context, world.apis, fault)
      await startAgain()
      await untilAnswering(origin)
      recovered()
    }
    await Promise.all([resolve(), begin()])
  },
  async 'kill a worker'(context, fault) {
    const { world, recovered } = context
    const startAgain = await killOne(context, world.workers, fault)
    const begin = async () => {
      await startAgain()
      await untilAnswering(world.workerOrigins[fault.which % 2] ?? '')
      recovered()
    }
    await Promise.all([
      begin(),
      takeOver(context, [EVERYTHING, 'postgres', other('worker', fault.which)]),
    ])
  },
  async 'pause a worker'(context, fault) {
    const { world, recovered } = context
    const stand = async () => {
      await holdOne(world.workers, fault)
      recovered()
    }
    await Promise.all([
      stand(),
      takeOver(context, [EVERYTHING, 'postgres', other('worker', fault.which)]),
    ])
  },
  async 'pause an API'({ world }, fault) {
    await holdOne(world.apis, fault)
  },
  async 'kill PostgreSQL'(context, { holdMs }) {
    const { world, recovered } = context
    await restart(world.postgres, holdMs)
    await within(context, SERVING_AGAIN_MS, [EVERYTHING, 'api'], async () => {
      await Promise.any(world.origins.map(untilAnswering))
      return 'PostgreSQL was back and requests were served again'
    })
    recovered()
    await takeOver(context, [EVERYTHING, 'postgres', 'worker'])
  },
  async 'kill Redis'({ world }, { which, holdMs }) {
    if (which % 2 === 0) world.redis.forget()
    await restart(world.redis, holdMs)
  },
  async 'pause Redis'({ world }, { holdMs }) {
    await hold(world.redis, holdMs)
  },
  async 'kill everything'(context, { holdMs }) {
    const { world, recovered } = context
    const { apis, workers, postgres, redis } = world
    const all = [...apis, ...workers, postgres, redis]
    await Promise.all(all.map((service) => service.kill()))
    const begin = async () => {
      await pause(holdMs)
      await Promise.all(all.map((service) => service.start()))
      await Promise.all([...world.origins, ...world.workerOrigins].map(untilAnswering))
      recovered()
      await takeOver(context, [EVERYTHING, 'postgres', 'worker'])
    }
    // One that another fault has stopped ends when that is over.
    const seeEnd = (command: Command) => seeOrphansEnd(context, command, ['api', 'worker'])
    await Promise.all([begin(), ...[...apis, ...workers].map(seeEnd)])
  },
  async 'empty Redis'({ world }) {
    for (const url of world.redis.serverUrls) {
      const redis = new RedisClient(url, {
        retryStrategy: () => null,
        commandTimeout: 500,
      })
      redis.on('error', () => undefined)
      await redis.flushall().catch(() => undefined)
      redis.disconnect()
    }
  },
  async 'one key at once'({ tenants }, { which }) {
    const tenant = tenants[which % tenants.length]
    if (tenant) await storm(tenant)
  },
} satisfies Record<string, Fault>

const other = (kind: 'api' | 'worker', which: number): Target => `${kind}-${2 - (which % 2)}`

/** `processes`: of each API and each worker. */
export type PlanOptions = { isLong: boolean; processes: number }

/** The faults of a run, in order: as many as its length has room for. */
export function planFaults(
  random: Random,
  lengthMs: number,
  { isLong, processes }: PlanOptions,
): PlannedFault[] {
  const names = Object.entries(WEIGHTS).flatMap(([name, { weight }]) =>
    Array.from({ length: weight }, () => name as FaultName),
  )
  const plan: PlannedFault[] = []
  for (let atMs = 2_000; atMs < lengthMs; atMs += random.between(1_500, 4_000)) {
    const name = random.pick(names)
    const seconds = WEIGHTS[name].hold[isLong ? 1 : 0]
    const holdMs = Math.round(seconds * 1_000 * (0.4 + 0.6 * random.next()))
    const which = random.between(0, 5)
    const process = isOfCommand(name) ? processOf(which, processes) : undefined
    plan.push({ atMs, name, which, process, holdMs })
  }
  return plan
}

/** Does one fault and undoes it, unless another is being done to the same process. */
export async function doFault(context: FaultContext, fault: PlannedFault): Promise<void> {
  const target = targetOf(fault)
  if (context.disturbances.isUnderFault(target)) return
  const end = context.disturbances.begin(target)
  context.report(describeFault(fault))
  try {
    await FAULTS[fault.name]({ ...context, recovered: end }, fault)
  } finally {
    end()
  }
}

/** The fault in words, with the process or tenant that it is done to. */
export function describeFault({ atMs, name, which, process, holdMs }: PlannedFault): string {
  const at = (atMs / 1_000).toFixed(1).padStart(5)
  const target = `${targetOf({ name, which })}${process ? `, process ${process} alone` : ''}`
  // Its parent replaces it at once.
  const isHeld = holdMs > 0 && !(process && name.startsWith('kill'))
  return `${at} s  ${name}${isHeld ? ` for ${(holdMs / 1_000).toFixed(1)} s` : ''} (${target})`
}

const isOfCommand = (name: FaultName) => name.includes('API') || name.includes('worker')

function targetOf({ name, which }: Pick<PlannedFault, 'name' | 'which'>): string {
  if (name.includes('API')) return `api-${(which % 2) + 1}`
  if (name.includes('worker')) return `worker-${(which % 2) + 1}`
  if (name === 'kill everything') return EVERYTHING
  if (name === 'empty Redis') return 'what Redis holds'
  if (name === 'one key at once') return `tenant ${which}`
  return name.endsWith('Redis') ? 'redis' : 'postgres'
}
