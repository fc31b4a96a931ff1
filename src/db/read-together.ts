import type { PostgresPool } from 'kysely'
import type { Read, ReadsTogether } from './preparing-client.ts'

/** More would keep the other processors of the database from a part of them. */
const MAX_TOGETHER = 8

type Rows = Record<string, unknown>[]
type Waiting = Read & { resolve(rows: Rows): void; reject(error: unknown): void }

const gatherings = new WeakMap<PostgresPool, Map<string, Waiting[]>>()

/** Reads of a tenant that come until it gets a connection share that, and one message. None may need
 * a lock, or others wait with it. */
export function readTogether(
  connections: PostgresPool,
  tenantId: string,
  read: Read,
): Promise<Rows> {
  return new Promise((resolve, reject) => {
    const waiting = { ...read, resolve, reject }
    const ofTenants = gatherings.get(connections) ?? new Map<string, Waiting[]>()
    gatherings.set(connections, ofTenants)
    const together = ofTenants.get(tenantId)
    if (together) {
      together.push(waiting)
      if (together.length >= MAX_TOGETHER) ofTenants.delete(tenantId)
      return
    }
    const begun = [waiting]
    ofTenants.set(tenantId, begun)
    const depart = () => {
      if (ofTenants.get(tenantId) === begun) ofTenants.delete(tenantId)
    }
    send(connections, begun, depart).catch((error: unknown) => {
      for (const { reject } of begun) reject(error)
    })
  })
}

async function send(
  connections: PostgresPool,
  reads: readonly Waiting[],
  depart: () => void,
): Promise<void> {
  const client = await connections.connect().finally(depart)
  try {
    const results = await (client as unknown as ReadsTogether).readTogether(reads)
    for (const [at, result] of results.entries()) {
      if (result.status === 'fulfilled') reads[at]?.resolve(result.value)
      else reads[at]?.reject(result.reason)
    }
  } finally {
    client.release()
  }
}
