import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { createFairSlots, type FairSlotOptions } from '../core/limits/fair-slots.ts'

/** Which connections of a pool the requests of each tenant may hold. */
export type TenantSlots = {
  /** Runs work of a tenant; each connection that it takes counts as one of the tenant's. */
  run(tenantId: string, work: () => void): void
  /** The pool as Kysely shall see it. What runs for no tenant takes connections as ever. */
  guard(pool: pg.Pool): PostgresPool
  /** How many wait for a connection. */
  waiting(): number
}

/**
 * Shares a pool's connections between tenants. Counted is what holds a connection: a request that
 * waits for something else (a token, an endpoint's answer) keeps no other request from working.
 */
export function createTenantSlots(options: FairSlotOptions): TenantSlots {
  const tenants = new AsyncLocalStorage<string>()
  const slots = createFairSlots(options)
  return {
    run: (tenantId, work) => tenants.run(tenantId, work),
    waiting: () => slots.waiting(),
    guard: (pool) => ({
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        const tenantId = tenants.getStore()
        if (tenantId === undefined) return await pool.connect()
        const release = await slots.take(tenantId)
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
