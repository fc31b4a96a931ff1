import { createHash } from 'node:crypto'
import { asSealed } from '../../../src/core/personal-text.ts'
import { createSealer, type SealedText } from '../../../src/core/sealing.ts'

/** Encryption keys for tests; the material follows from the id. */
export function testKey(id: string) {
  return { id, bytes: createHash('sha256').update(id).digest() }
}

/** That of every database, API and worker of the tests. */
export const testSealer = createSealer([testKey('test')])

/** As `looksSealed`, for SQL. */
export const LOOKS_SEALED = `person.${'A'.repeat(40)}`

/** In the form of a sealed text, for a row of which no one reads the text. Equal texts look alike. */
export const looksSealed = (text: string): SealedText =>
  asSealed(`person.${Buffer.from(text.padEnd(30)).toString('base64')}`)
