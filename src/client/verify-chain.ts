import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { ChainedEvent, WebhookEvent } from './resources/resources.ts'

/** The last event of a range: keep it, and verify what follows after it. */
export type ChainEnd = { sequence: number; hash: string }

export type ChainFault =
  /** An event is missing, given twice or out of order. */
  | 'sequence_broken'
  /** It does not follow the event before it. */
  | 'previous_hash_mismatch'
  /** Its body or its number is not what the hash was made over. */
  | 'hash_mismatch'

export type ChainVerdict =
  | { ok: true; end: ChainEnd | undefined }
  | { ok: false; sequence: number; reason: ChainFault }

const BEFORE_THE_FIRST: ChainEnd = { sequence: 0, hash: '0'.repeat(64) }

/**
 * Verifies events of `listEvents` that follow one another, without filters. `after` is where the
 * last verification ended; without it the first event is taken as the start of the range.
 */
export function verifyEventChain(
  events: readonly ChainedEvent[],
  after?: ChainEnd | undefined,
): ChainVerdict {
  let end = after
  for (const event of events) {
    const { sequence, hash } = event
    const before = end ?? startOf(event)
    if (sequence !== before.sequence + 1) return fault(sequence, 'sequence_broken')
    if (event.previous_hash !== before.hash) return fault(sequence, 'previous_hash_mismatch')
    if (hash !== hashOf(event)) return fault(sequence, 'hash_mismatch')
    end = { sequence, hash }
  }
  return { ok: true, end }
}

/** What is delivered of an event of the log, byte for byte: all but its hashes. */
export function deliveredBody(event: WebhookEvent | ChainedEvent): string {
  const { previous_hash, hash, deliveries, ...body } = event as ChainedEvent & {
    deliveries?: unknown
  }
  return JSON.stringify(body)
}

function startOf({ sequence, previous_hash: hash }: ChainedEvent): ChainEnd {
  return sequence === 1 ? BEFORE_THE_FIRST : { sequence: sequence - 1, hash }
}

function fault(sequence: number, reason: ChainFault): ChainVerdict {
  return { ok: false, sequence, reason }
}

/** SHA-256 of the hash before, the sequence as 8 bytes, big endian, and the SHA-256 of the body. */
function hashOf(event: ChainedEvent): string {
  const sequence = new Uint8Array(8)
  new DataView(sequence.buffer).setBigUint64(0, BigInt(event.sequence))
  const body = sha256(new TextEncoder().encode(deliveredBody(event)))
  return bytesToHex(sha256(concatBytes(hexToBytes(event.previous_hash), sequence, body)))
}
