import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { createFairSlots, type FairSlotOptions } from '../core/limits/fair-slots.ts'

/** Which connections of a pool the work of each name may hold: a tenant's, or a class of work. */
export type ConnectionSlots = {
  /** Runs work under a name; each connection that it takes counts as one of that name. */
  run<T>(name: string, work: () => T): T
  /** The pool as Kysely shall see it. What runs under no name waits for no slot. */
  guard(pool: pg.Pool): PostgresPool
  /** How many wait for a connection. */
  waiting(): number
}

/**
 * Shares the connections of a pool between names. Only what holds a connection counts: work that
 * waits for something else (a token, an endpoint's answer) delays no other work.
 */
export function createConnectionSlots(options: FairSlotOptions): ConnectionSlots {
  const names = new AsyncLocalStorage<string>()
  const slots = createFairSlots(options)
  return {
    run: (name, work) => names.run(name, work),
    waiting: () => slots.waiting(),
    guard: (pool) => ({
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        const name = names.getStore()
        if (name === undefined) return await pool.connect()
        const release = await slots.take(name)
        try {
          return releasing(await pool.connect(), release)
        } catch (error) {
          release()
          throw error
        }
      },
    }),
  }
}

/** The pool makes a new `release` at each checkout, so that this holds for one of them. */
function releasing(client: pg.PoolClient, release: () => void): pg.PoolClient {
  const giveBack = client.release
  client.release = (destroy) => {
    giveBack.call(client, destroy)
    release()
  }
  return client
}
