import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startPgBouncer } from '../../support/stores/pgbouncer.ts'
import { joinCluster, startMaster } from '../../support/stores/redis-cluster.ts'
import type { Keep } from '../../support/world/keep.ts'
import { createService, type Service } from '../../support/world/service.ts'
import type { Redis } from '../../support/world/stores.ts'

/**
 * A Redis Cluster as one thing that faults are done to: faults meet one of its three masters and
 * all of them by turns. Keeps every command in its log until it is made to forget.
 */
export function createRedisCluster(keep: Keep, ports: readonly number[]): Redis {
  const { folder } = keep
  const places = [0, 1, 2].map((index) => ({
    port: ports[2 * index] ?? 0,
    busPort: ports[2 * index + 1] ?? 0,
  }))
  let kept = 1
  const masters = places.map(({ port, busPort }, index) =>
    createService(
      `redis-${index + 1}`,
      async (count) => {
        const dataFolder = join(folder, `redis-data-${kept}-${index + 1}`)
        mkdirSync(dataFolder, { recursive: true })
        const logFile = join(folder, `redis-${index + 1}.${count}.log`)
        return await startMaster({ port, busPort, folder, dataFolder, logFile, isLogged: true })
      },
      keep,
    ),
  )
  let turn = 0
  const nextTargets = () => {
    turn += 1
    if (turn % 2 === 0) return masters
    const index = ((turn - 1) / 2) % masters.length
    return masters.slice(index, index + 1)
  }
  let paused: readonly Service[] = []
  let isJoined = false
  const addresses = places.map(({ port }) => `127.0.0.1:${port}`)
  return {
    name: 'redis',
    url: `redis+cluster://${addresses.join(',')}`,
    serverUrls: addresses.map((address) => `redis://${address}`),
    kind: 'a Cluster of three masters',
    async start() {
      await Promise.all(masters.map((master) => master.start()))
      if (!isJoined) await joinCluster(places)
      isJoined = true
    },
    async kill() {
      await Promise.all(nextTargets().map((master) => master.kill()))
    },
    pause() {
      paused = nextTargets()
      for (const master of paused) master.pause()
    },
    goOn() {
      for (const master of paused) master.goOn()
    },
    forget: () => {
      kept += 1
    },
  }
}

/** A PgBouncer before the server, which no fault is done to; answers where it listens. */
export async function startPooler(
  keep: Keep,
  port: number,
  server: { url: string; roles: Readonly<Record<string, string>> },
): Promise<void> {
  const own = join(keep.folder, 'pgbouncer')
  mkdirSync(own)
  const pooler = createService(
    'pgbouncer',
    async (count) => {
      const logFile = join(keep.folder, `pgbouncer.${count}.log`)
      const options = { serverUrl: server.url, roles: server.roles, folder: own, port, logFile }
      return (await startPgBouncer(options)).child
    },
    keep,
  )
  await pooler.start()
}
