import * as chain from '../../../src/domain/events/event-chain.ts'

export const { hashRecords } = chain

export function chainEvents<Event>(events: readonly Event[], last: Buffer) {
  return events.map((event) => ({ ...event, previousHash: last, hash: last }))
}
