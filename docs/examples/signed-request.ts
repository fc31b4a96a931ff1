// A first signed request with nothing but Node: npx node docs/examples/signed-request.ts
import { createHash, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

type Sandbox = { base_url: string; key_id: string; private_key_pem: string }

async function send(sandbox: Sandbox, method: string, target: string, body = '') {
  const idempotencyKey = method === 'GET' ? '' : randomUUID()
  const timestamp = Math.floor(Date.now() / 1000).toString()
  const stringToSign = [
    'SVC-ED25519-V1',
    sandbox.key_id,
    timestamp,
    method,
    target,
    idempotencyKey,
    createHash('sha256').update(body).digest('hex'),
  ].join('\n')
  const signature = sign(null, Buffer.from(stringToSign), sandbox.private_key_pem)

  const response = await fetch(sandbox.base_url + target, {
    method,
    headers: {
      'X-SVC-Key-Id': sandbox.key_id,
      'X-SVC-Timestamp': timestamp,
      'X-SVC-Signature': signature.toString('base64'),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body }),
  })
  console.log(method, target, response.status)
  console.log(await response.text())
}

async function main() {
  const { LOCAL_DIR = '.local' } = process.env
  const sandbox: Sandbox = JSON.parse(readFileSync(`${LOCAL_DIR}/sandbox.json`, 'utf8'))
  await send(sandbox, 'GET', '/v1/documents')
  const borrower = {
    type: 'individual',
    kyc_attested: true,
    residency_country: 'US',
    residency_state: 'CA',
  }
  await send(sandbox, 'POST', '/v1/borrowers', JSON.stringify(borrower))
}

await main().catch(({ message }: Error) => {
  console.error(`${message}. Is the stack running? npm start runs it.`)
  process.exitCode = 1
})
