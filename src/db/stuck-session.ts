import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** What `pg` has of a client and its types leave out. */
type Session = { readyForQuery: boolean; connection: EventEmitter & { stream: Duplex } }

/** A rollback takes milliseconds. */
const WITHIN_MS = 3_000

/** After a statement has failed. The coordinator of a Citus cluster reports that it cancels a statement,
 * and then waits for a node that hangs, without end: such a connection is closed, so that whoever would
 * have it next does not wait too. */
export async function untilRolledBack(client: pg.Client): Promise<void> {
  const { readyForQuery, connection } = client as unknown as Session
  if (readyForQuery || connection.stream.destroyed) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      connection.off('readyForQuery', end)
      connection.off('end', end)
      resolve()
    }
    const timer = setTimeout(() => connection.stream.destroy(), WITHIN_MS)
    connection.on('readyForQuery', end)
    connection.on('end', end)
  })
}
