import { hash } from 'node:crypto'
import { z } from 'zod'
import { SCOPES } from '../../../core/scopes.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { type ApiKey, listKeys, registerKey, revokeKey } from '../../../domain/auth/keys.ts'
import { findKeyMakers, recordAction } from '../../../domain/console/actions.ts'
import type { RouteContext } from '../../route-context.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { idInput, idText, text, timestamp, timestampInput } from '../../schemas/fields.ts'
import { actorOf, sessionOf } from '../authenticate-session.ts'
import type { ConsoleApp } from '../operation.ts'

const KEY_EXAMPLE = {
  id: 'key_01k9x4m2q8e0tb7f2v5j6h8n3c',
  name: 'order desk',
  fingerprint: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  state: 'active' as const,
  scopes: ['facility:read' as const],
  created_at: '2026-11-22T12:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  made_by: 'per_01k9x4m2q8e0tb7f2v5j6h8n3c',
}

const keySchema = z
  .strictObject({
    id: idText('key'),
    name: z.string(),
    fingerprint: z.string().describe('SHA-256 of the 32 bytes of the public key, in hex'),
    state: z.enum(['active', 'expired', 'revoked']),
    scopes: z.array(z.enum(SCOPES)),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().describe('To the minute'),
    revoked_at: timestamp.nullable(),
    made_by: idText('per')
      .nullable()
      .describe('The person who made it in the console, also one who was removed'),
  })
  .meta({ id: 'Key', examples: [KEY_EXAMPLE] })

const keyListSchema = z.strictObject({ items: z.array(keySchema) }).meta({ id: 'KeyList' })

const newKeySchema = z.strictObject({
  name: text(100),
  public_key_pem: z.string().max(1_000).describe('Ed25519, in SPKI PEM'),
  scopes: z.array(z.enum(SCOPES)).min(1),
  expires_at: timestampInput.optional(),
})

const params = z.strictObject({ id: idInput('key') })

export function keyRoutes(app: ConsoleApp, context: RouteContext): void {
  app.get('/keys', {
    id: 'listKeys',
    summary: 'List the keys of the tenant, revoked ones included',
    tag: 'Keys',
    config: { limitClass: 'console', scope: 'key:read' },
    response: { 200: keyListSchema },
    async handler(request) {
      const { tenant } = sessionOf(request)
      return { items: (await showKeys(context.db, tenant.id, context.clock())).reverse() }
    },
  })
  registrationRoute(app, context)
  revocationRoutes(app, context)
}

function registrationRoute(app: ConsoleApp, { config, mutate }: RouteContext): void {
  app.post('/keys', {
    id: 'createKey',
    summary: 'Register a public key',
    tag: 'Keys',
    config: {
      ...{ limitClass: 'console', scope: 'key:write', idempotencyKey: 'honoured' },
      needsConfirmation: true,
    },
    body: newKeySchema,
    response: { 201: keySchema },
    errors: ['tenant_suspended', 'already_exists', 'limit_reached'],
    handler: (request, reply) =>
      mutate(request, reply, async ({ tx, tenantId, realNow }) => {
        const { name, public_key_pem: publicKeyPem, scopes: given, expires_at } = request.body
        const scopes = [...new Set(given)]
        const registration = { publicKeyPem, label: name, scopes, expiresAt: expires_at }
        const limits = { maxActive: config.maxActiveKeys, now: realNow }
        const keyId = await registerKey(tx, tenantId, registration, limits)
        const key = (await listKeys(tx, tenantId, realNow)).find(({ id }) => id === keyId)
        if (!key) throw new Error('a key was registered and is not there')
        const body = toKeyBody(key, sessionOf(request).person.id)
        const { fingerprint, expires_at: expiresAt } = body
        await recordAction(tx, actorOf(request, realNow), {
          action: 'createKey',
          subject: keyId,
          after: { name, fingerprint, scopes, expires_at: expiresAt },
        })
        return { status: 201, body }
      }),
  })
}

function revocationRoutes(app: ConsoleApp, { db, clock }: RouteContext): void {
  app.post('/keys/:id/revoke', {
    id: 'revokeKey',
    summary: 'Revoke a key for good, within 5 seconds',
    tag: 'Keys',
    config: { limitClass: 'console', scope: 'key:write', needsConfirmation: true },
    params,
    response: { 200: keySchema },
    errors: ['tenant_suspended'],
    async handler(request) {
      const { id } = request.params
      const session = sessionOf(request)
      const now = clock()
      const key = await inTransaction(db, async (tx) => {
        await revokeKey(tx, session.tenant.id, id, now)
        await recordAction(tx, actorOf(request, now), { action: 'revokeKey', subject: id })
        return (await showKeys(tx, session.tenant.id, now)).find((listed) => listed.id === id)
      })
      if (!key) throw new Error('a key was revoked and is not there')
      return key
    },
  })
}

async function showKeys(db: Db, tenantId: string, now: Date): Promise<z.input<typeof keySchema>[]> {
  const makers = await findKeyMakers(db, tenantId)
  return (await listKeys(db, tenantId, now)).map((key) => toKeyBody(key, makers.get(key.id)))
}

const showKey = bodyOf(keySchema)

function toKeyBody(key: ApiKey, madeBy: string | undefined) {
  return showKey({
    ...{ ...key, name: key.label, madeBy },
    fingerprint: `sha256:${hash('sha256', key.publicKey, 'hex')}`,
    scopes: SCOPES.filter((scope) => key.scopes.includes(scope)),
  })
}
