import { createHash } from 'node:crypto'
import { createSealer } from '../../../src/core/sealing.ts'

/** Encryption keys for tests; the material follows from the id. */
export function testKey(id: string) {
  return { id, bytes: createHash('sha256').update(id).digest() }
}

/** That of every database, API and worker of the tests. */
export const testSealer = createSealer([testKey('test')])
