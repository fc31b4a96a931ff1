import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { createFairSlots, type FairSlotOptions, type Release } from '../core/limits/fair-slots.ts'

export type ConnectionSlots = {
  run<T>(name: string, work: () => T): T
  /** For Kysely. Work under no name waits for no slot. */
  guard(pool: pg.Pool): PostgresPool
  waiting(): number
}

/** Only work that holds a connection counts; work that waits for something else delays no other. */
export function createConnectionSlots(options: FairSlotOptions): ConnectionSlots {
  const names = new AsyncLocalStorage<string>()
  const slots = createFairSlots(options)
  return {
    run: (name, work) => names.run(name, work),
    waiting: () => slots.waiting(),
    guard: (pool) => ({
      options: pool.options,
      end: () => pool.end(),
      connect() {
        const name = names.getStore()
        if (name === undefined) return pool.connect()
        const taken = slots.take(name)
        return taken instanceof Promise
          ? taken.then((release) => connect(pool, release))
          : connect(pool, taken)
      },
    }),
  }
}

/** By its callback, because the promise of the pool is two. */
function connect(pool: pg.Pool, release: Release): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client) {
        resolve(releasing(client, release))
        return
      }
      release()
      reject(error)
    })
  })
}

function releasing(client: pg.PoolClient, release: () => void): pg.PoolClient {
  const giveBack = client.release
  client.release = (destroy) => {
    giveBack.call(client, destroy)
    release()
  }
  return client
}
