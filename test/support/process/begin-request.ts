import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { createSigner } from '../../../src/client/private-key.ts'
import { signRequest } from '../../../src/client/sign-request.ts'
import { SCOPES } from '../../../src/core/scopes.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { registerKey } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { openTenant } from '../lending/onboarding.ts'

export const BODY = JSON.stringify({
  type: 'individual',
  kyc_attested: true,
  residency_country: 'DE',
})

/** A signed request of which the service has the headers and waits for the body. */
export async function beginRequest(
  db: Db,
  port: number,
): Promise<{
  request: ClientRequest
  answered: Promise<IncomingMessage>
}> {
  const tenantId = await openTenant(db)
  const { privateKeyPem, publicKeyPem } = generateKeyPair()
  const key = { publicKeyPem, label: 'test', scopes: SCOPES, expiresAt: undefined }
  const keyId = await inTransaction(db, (tx) =>
    registerKey(tx, tenantId, key, { maxActive: 1, now: new Date() }),
  )
  const parts = {
    keyId,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    method: 'POST',
    target: '/v1/borrowers',
    idempotencyKey: randomUUID(),
    body: Buffer.from(BODY),
  }
  const headers = {
    ...(await signRequest(parts, await createSigner(privateKeyPem))),
    'content-type': 'application/json',
    'content-length': BODY.length,
    expect: '100-continue',
  }
  const { method, target: path } = parts
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers })
  const answered = once(request, 'response').then(([response]) => response as IncomingMessage)
  request.flushHeaders()
  await once(request, 'continue')
  return { request, answered }
}
