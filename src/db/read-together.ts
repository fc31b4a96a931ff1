import { CompiledQuery, type PostgresPool } from 'kysely'
import type { Db } from './database.ts'
import { TOGETHER } from './known-statements.ts'
import { findClient } from './own-transaction.ts'
import type { Read, ReadsTogether } from './sent-together.ts'
import { TransactionNotes } from './transaction-notes.ts'

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

const gatheredIn = new TransactionNotes<Waiting[] | undefined>()

/** Reads of a transaction that are asked at one time share a message. One that fails is the failure
 * of all: the transaction has failed. */
export function readWithin(tx: Db, read: Read): Promise<Rows> {
  return new Promise((resolve, reject) => {
    const waiting = { ...read, resolve, reject }
    const gathered = gatheredIn.get(tx)
    if (gathered) {
      gathered.push(waiting)
      return
    }
    const begun = [waiting]
    gatheredIn.set(tx, begun)
    // By then all that is asked at one time has come.
    process.nextTick(() => {
      gatheredIn.set(tx, undefined)
      sendWithin(tx, begun).catch((error: unknown) => {
        for (const { reject } of begun) reject(error)
      })
    })
  })
}

async function sendWithin(tx: Db, reads: readonly Waiting[]): Promise<void> {
  const client = findClient(tx)
  const ask = async <Row>(text: string, values: readonly unknown[]) => {
    if (client) return await client.query<Row>(text, values)
    return await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  }
  const [only] = reads
  if (only && reads.length === 1) {
    const { rows } = await ask<Rows[number]>(only.text, only.values)
    only.resolve(rows)
    return
  }
  for (let at = 0; at < reads.length; at += MAX_TOGETHER) {
    const some = reads.slice(at, at + MAX_TOGETHER)
    const { rows } = await ask<Rows>(TOGETHER, some)
    for (const [index, { resolve }] of some.entries()) resolve(rows[index] ?? [])
  }
}
