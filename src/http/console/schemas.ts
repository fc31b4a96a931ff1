import { z } from 'zod'
import { ROLES, scopesOf } from '../../domain/console/roles.ts'
import type { ConsoleSession } from '../../domain/people/sign-in/sessions.ts'
import { accountNotices } from '../people/sign-in-schemas.ts'
import { idText, timestamp } from '../schemas/fields.ts'

const PERSON_EXAMPLE = {
  id: 'per_01k9x4m2q8e0tb7f2v5j6h8n3c',
  email: 'ada@example.com',
  name: 'Ada Example',
  role: 'developer' as const,
}

export const personSchema = z
  .strictObject({
    id: idText('per'),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
  })
  .meta({ id: 'Person', examples: [PERSON_EXAMPLE] })

export const sessionSchema = z
  .strictObject({
    person: personSchema,
    tenant: z.strictObject({ id: idText('ten'), name: z.string() }),
    stack: z.enum(['live', 'sandbox']),
    build: z.string().describe('The version, and in an image its commit and date'),
    webhook_sources: z
      .array(z.string())
      .describe('Addresses and ranges that deliveries come from, as the operator names them'),
    local: z.boolean().describe('The stack that npm start runs on this machine'),
    scopes: z.array(z.string()),
    signed_in_by: z.enum(['link', 'invitation', 'passkey', 'oidc']),
    passkeys: z.int().describe('How many passkeys the person has'),
    must_add_passkey: z.boolean().describe('Until a passkey is added, nothing else is allowed'),
    ...accountNotices,
    expires_at: timestamp.describe(
      'At the latest; after 12 hours without a request it ends sooner',
    ),
  })
  .meta({
    id: 'Session',
    examples: [
      {
        person: PERSON_EXAMPLE,
        tenant: { id: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c', name: 'Acme Exchange' },
        stack: 'sandbox',
        build: '1.0.0+3f2a1bc4.2026-11-28',
        webhook_sources: ['192.0.2.7'],
        local: false,
        scopes: ['facility:read', 'webhook:read'],
        signed_in_by: 'passkey',
        passkeys: 1,
        must_add_passkey: false,
        ...{ notices: [], notices_more: 0, replaced_at: null },
        expires_at: '2026-11-28T12:00:00.000Z',
      },
    ],
  })

export function toSessionBody(
  session: ConsoleSession,
  given: {
    stack: 'live' | 'sandbox'
    build: string
    webhookSources: string[]
    isLocal: boolean
    passkeys: number
  },
): Omit<z.input<typeof sessionSchema>, keyof typeof accountNotices> {
  return {
    person: session.person,
    tenant: { id: session.tenant.id, name: session.tenant.name },
    stack: given.stack,
    build: given.build,
    webhook_sources: given.webhookSources,
    local: given.isLocal,
    scopes: [...scopesOf(session.person.role)],
    signed_in_by: session.signedInBy,
    passkeys: given.passkeys,
    must_add_passkey: session.mustAddPasskey,
    expires_at: session.expiresAt.toISOString(),
  }
}
