import { setTimeout as pause } from 'node:timers/promises'
import { Redis as RedisClient } from 'ioredis'
import type { Random } from './actors/random.ts'
import { storm } from './actors/storms.ts'
import type { Tenant } from './actors/tenant.ts'
import { takeOver, within } from './checks/in-time.ts'
import { type Disturbances, EVERYTHING, type Target } from './disturbances.ts'
import { findOpen, resolveOpen } from './world/open-keys.ts'
import type { Restarted, Service } from './world/service.ts'
import { untilAnswering, type World } from './world/world.ts'

/** Something to do to the world, and to undo again; chosen by the seed alone. */
export type PlannedFault = {
  atMs: number
  name: FaultName
  /** Which of the two APIs or workers, or which tenant. */
  which: number
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
type Fault = (
  context: FaultContext & { recovered(): void },
  which: number,
  holdMs: number,
) => Promise<void>

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
  async 'kill an API'(context, which, holdMs) {
    const { world, tenants, recovered } = context
    const open = findOpen(tenants, world.origins[which % 2] ?? '')
    const resolve = () =>
      within(context, DECIDED_MS, [EVERYTHING, 'postgres', other('api', which)], async () => {
        await resolveOpen(open)
        return `${open.length} requests that it had in hand were decided`
      })
    const begin = async () => {
      await restart(world.apis[which % 2], holdMs)
      await untilAnswering(world.origins[which % 2] ?? '')
      recovered()
    }
    await Promise.all([resolve(), begin()])
  },
  async 'kill a worker'(context, which, holdMs) {
    const { world, recovered } = context
    await world.workers[which % 2]?.kill()
    const begin = async () => {
      await pause(holdMs)
      await world.workers[which % 2]?.start()
      await untilAnswering(world.workerOrigins[which % 2] ?? '')
      recovered()
    }
    await Promise.all([
      begin(),
      takeOver(context, [EVERYTHING, 'postgres', other('worker', which)]),
    ])
  },
  async 'pause a worker'(context, which, holdMs) {
    const { world, recovered } = context
    const stand = async () => {
      await hold(world.workers[which % 2], holdMs)
      recovered()
    }
    await Promise.all([
      stand(),
      takeOver(context, [EVERYTHING, 'postgres', other('worker', which)]),
    ])
  },
  async 'pause an API'({ world }, which, holdMs) {
    await hold(world.apis[which % 2], holdMs)
  },
  async 'kill PostgreSQL'(context, _which, holdMs) {
    const { world, recovered } = context
    await restart(world.postgres, holdMs)
    await within(context, SERVING_AGAIN_MS, [EVERYTHING, 'api'], async () => {
      await Promise.any(world.origins.map(untilAnswering))
      return 'PostgreSQL was back and requests were served again'
    })
    recovered()
    await takeOver(context, [EVERYTHING, 'postgres', 'worker'])
  },
  async 'kill Redis'({ world }, which, holdMs) {
    if (which % 2 === 0) world.redis.forget()
    await restart(world.redis, holdMs)
  },
  async 'pause Redis'({ world }, _which, holdMs) {
    await hold(world.redis, holdMs)
  },
  async 'kill everything'(context, _which, holdMs) {
    const { world, recovered } = context
    const { apis, workers, postgres, redis } = world
    const all = [...apis, ...workers, postgres, redis]
    await Promise.all(all.map((service) => service.kill()))
    await pause(holdMs)
    await Promise.all(all.map((service) => service.start()))
    await Promise.all([...world.origins, ...world.workerOrigins].map(untilAnswering))
    recovered()
    await takeOver(context, [EVERYTHING, 'postgres', 'worker'])
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
  async 'one key at once'({ tenants }, which) {
    const tenant = tenants[which % tenants.length]
    if (tenant) await storm(tenant)
  },
} satisfies Record<string, Fault>

const other = (kind: 'api' | 'worker', which: number): Target => `${kind}-${2 - (which % 2)}`

async function restart(service: Restarted | undefined, afterMs: number): Promise<void> {
  if (!service) return
  await service.kill()
  await pause(afterMs)
  await service.start()
}

async function hold(service: Service | undefined, ms: number): Promise<void> {
  if (!service) return
  service.pause()
  await pause(ms)
  service.goOn()
}

/** The faults of a run, in order: as many as its length has room for. */
export function planFaults(random: Random, lengthMs: number, isLong: boolean): PlannedFault[] {
  const names = Object.entries(WEIGHTS).flatMap(([name, { weight }]) =>
    Array.from({ length: weight }, () => name as FaultName),
  )
  const plan: PlannedFault[] = []
  for (let atMs = 2_000; atMs < lengthMs; atMs += random.between(1_500, 4_000)) {
    const name = random.pick(names)
    const seconds = WEIGHTS[name].hold[isLong ? 1 : 0]
    const holdMs = Math.round(seconds * 1_000 * (0.4 + 0.6 * random.next()))
    plan.push({ atMs, name, which: random.between(0, 5), holdMs })
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
    await FAULTS[fault.name]({ ...context, recovered: end }, fault.which, fault.holdMs)
  } finally {
    end()
  }
}

/** The fault in words, with the process or tenant that it is done to. */
export function describeFault({ atMs, name, which, holdMs }: PlannedFault): string {
  const at = (atMs / 1_000).toFixed(1).padStart(5)
  const target = targetOf({ name, which })
  return `${at} s  ${name}${holdMs > 0 ? ` for ${(holdMs / 1_000).toFixed(1)} s` : ''} (${target})`
}

function targetOf({ name, which }: Pick<PlannedFault, 'name' | 'which'>): string {
  if (name.includes('API')) return `api-${(which % 2) + 1}`
  if (name.includes('worker')) return `worker-${(which % 2) + 1}`
  if (name === 'kill everything') return EVERYTHING
  if (name === 'empty Redis') return 'what Redis holds'
  if (name === 'one key at once') return `tenant ${which}`
  return name.endsWith('Redis') ? 'redis' : 'postgres'
}
