import { createHash, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Sandbox = { base_url: string; key_id: string; private_key_pem: string }

const { LOCAL_DIR = '.local' } = process.env

export const sandbox = JSON.parse(readFileSync(join(LOCAL_DIR, 'sandbox.json'), 'utf8')) as Sandbox

/** The signature headers of a request as it goes out (docs/signing.md). */
export function signatureOf(method: string, url: string, key: string, body: string) {
  const { pathname, search } = new URL(url)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const hash = createHash('sha256').update(body).digest('hex')
  const lines = [
    'SVC-ED25519-V1',
    sandbox.key_id,
    timestamp,
    method,
    pathname + search,
    key,
    hash,
  ].join('\n')
  return {
    'X-SVC-Key-Id': sandbox.key_id,
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': sign(null, Buffer.from(lines), sandbox.private_key_pem).toString('base64'),
  }
}
