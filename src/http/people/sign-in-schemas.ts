import { z } from 'zod'
import type { Passkey } from '../../domain/people/passkeys.ts'
import { idText, text, timestamp } from '../schemas/fields.ts'
import { assertionSchema, registrationSchema } from './webauthn-schemas.ts'

export const passkeySchema = z
  .strictObject({
    id: idText('psk'),
    name: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({
    id: 'Passkey',
    examples: [
      {
        id: 'psk_01k9x4m2q8e0tb7f2v5j6h8n3c',
        name: 'Laptop',
        created_at: '2026-11-22T12:00:00.000Z',
        last_used_at: null,
      },
    ],
  })

export const passkeyListSchema = z
  .strictObject({ items: z.array(passkeySchema) })
  .meta({ id: 'PasskeyList' })

export const newPasskeySchema = z.strictObject({
  response: registrationSchema,
  name: text(100),
  confirmation: assertionSchema
    .optional()
    .describe('By a passkey that the person has; needed unless this is the first'),
})

export function toPasskeyBody({ id, name, createdAt, lastUsedAt }: Passkey) {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}

export const waysSchema = z
  .strictObject({
    passkeys: z.boolean(),
    oidc: z.strictObject({ name: z.string() }).nullable(),
    local: z.boolean(),
  })
  .meta({ id: 'WaysToSignIn', examples: [{ passkeys: true, oidc: null, local: false }] })
