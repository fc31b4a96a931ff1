import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createFairSlots,
  type FairSlotOptions,
  type Release,
} from '../../core/limits/fair-slots.ts'
import type { Connections } from './connection-pool.ts'
import type { Client } from './session.ts'

export type ConnectionSlots = {
  run<T>(name: string, work: () => T): T
  /** Work under no name waits for no slot. */
  guard(pool: Connections): Connections
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

async function connect(pool: Connections, release: Release): Promise<Client> {
  try {
    return releasing(await pool.connect(), release)
  } catch (error) {
    release()
    throw error
  }
}

function releasing(client: Client, release: () => void): Client {
  const giveBack = client.release
  client.release = (destroy) => {
    giveBack.call(client, destroy)
    release()
  }
  return client
}
