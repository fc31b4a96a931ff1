import { hash as digest } from 'node:crypto'

type Sealed<Event> = Event & { previousHash: Buffer; hash: Buffer }

/** hash = SHA-256(previous hash ‖ sequence as 8 bytes, big endian ‖ SHA-256(body)). */
export function chainEvents<Event extends { sequence: bigint; body: string }>(
  events: readonly Event[],
  last: Buffer,
): Sealed<Event>[] {
  let previousHash = last
  return events.map((event) => {
    const hash = hashEvent(previousHash, event)
    const sealed = { ...event, previousHash, hash }
    previousHash = hash
    return sealed
  })
}

function hashEvent(previousHash: Buffer, event: { sequence: bigint; body: string }): Buffer {
  const sequence = Buffer.alloc(8)
  sequence.writeBigInt64BE(event.sequence)
  const body = sha256(event.body)
  return sha256(Buffer.concat([previousHash, sequence, body]))
}

/** What an event's body states of the records it binds. */
export function hashRecords(records: readonly string[]): string {
  return sha256(records.join('\n')).toString('hex')
}

const sha256 = (data: string | Buffer) => digest('sha256', data, 'buffer')
