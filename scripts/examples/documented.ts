import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { testKey } from '../../test/client/print-vectors.ts'
import { readTable } from '../../test/client/read-table.ts'

export type Vectors = ReturnType<typeof readVectors>

const EXAMPLES = new URL('../../docs/examples/', import.meta.url)

/** SHA-256 of each program of docs/examples and of the vectors it was run over. */
export function hashExamples(): Record<string, string> {
  const files = readdirSync(EXAMPLES).filter((name) => /\.(go|py|sh|ts)$/.test(name))
  const hashes = files
    .sort()
    .map((name) => [name, sha256(readFileSync(new URL(name, EXAMPLES)))] as const)
  return { ...Object.fromEntries(hashes), vectors: sha256(JSON.stringify(readVectors())) }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The vectors of docs/signing.md, as published. */
export function readVectors() {
  const signing = readFileSync(new URL('../signing.md', EXAMPLES), 'utf8')
  const [private_key_pem = ''] = /-----BEGIN PRIVATE KEY-----[^`]+/.exec(signing) ?? []
  const requests = readTable(signing, [
    'Timestamp',
    'Method',
    'Target',
    'Idempotency-Key',
    'Body',
    'X-SVC-Signature',
  ]).map((row) => ({
    key_id: testKey.id,
    timestamp: row.Timestamp,
    method: row.Method,
    target: row.Target,
    idempotency_key: row['Idempotency-Key'],
    body: row.Body,
    signature: row['X-SVC-Signature'],
  }))
  return { private_key_pem, requests }
}
