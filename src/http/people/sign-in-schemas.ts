import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { listNotices } from '../../domain/people/links/notices.ts'
import type { Session } from '../../domain/people/sign-in/sessions.ts'
import { bodyOf } from '../schemas/body-of.ts'
import { idText, text, timestamp } from '../schemas/fields.ts'
import { registrationSchema } from './webauthn-schemas.ts'

export const passkeySchema = z
  .strictObject({
    id: idText('psk'),
    name: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    ends_at: timestamp.nullable().describe('When a new link replaces it'),
  })
  .meta({
    id: 'Passkey',
    examples: [
      {
        id: 'psk_01k9x4m2q8e0tb7f2v5j6h8n3c',
        name: 'Laptop',
        created_at: '2026-11-22T12:00:00.000Z',
        last_used_at: null,
        ends_at: null,
      },
    ],
  })

export const passkeyListSchema = z
  .strictObject({ items: z.array(passkeySchema) })
  .meta({ id: 'PasskeyList' })

export const newPasskeySchema = z.strictObject({
  response: registrationSchema,
  name: text(100),
})

export const toPasskeyBody = bodyOf(passkeySchema)

/** What was done to the account, newest first, until the person says that they have seen it. */
const noticePage = {
  notices: z.array(
    z.strictObject({
      action: z.string(),
      about: z.string().nullable().describe('The operator that it concerns; null: oneself'),
      by: z.string().nullable().describe('Null: the lender, in the console'),
      at: timestamp,
    }),
  ),
  notices_more: z.int().describe('How many older ones there are'),
}

export const noticesSchema = z.strictObject(noticePage).meta({
  id: 'Notices',
  examples: [
    {
      notices: [
        {
          ...{ action: 'addPasskey', about: null, by: 'ada@example.com' },
          at: '2026-11-22T12:00:00.000Z',
        },
      ],
      notices_more: 0,
    },
  ],
})

export const accountNotices = {
  ...noticePage,
  replaced_at: timestamp
    .nullable()
    .describe('When this session and the passkeys of then end, by a new link that was opened'),
}

export async function describeNotices(db: Db, session: Session, before?: Date) {
  const { notices, more } = await listNotices(db, session, before)
  return {
    notices: notices.map(({ action, about, by, at }) => ({
      ...{ action, about: about ?? null, by: by ?? null, at: at.toISOString() },
    })),
    notices_more: more,
  }
}

/** The account of a session, for its body. */
export async function describeAccount(db: Db, session: Session) {
  const replacedAt = session.endsAt?.toISOString() ?? null
  return { ...(await describeNotices(db, session)), replaced_at: replacedAt }
}

export const waysSchema = z
  .strictObject({
    passkeys: z.boolean(),
    oidc: z.strictObject({ name: z.string() }).nullable(),
    local: z.boolean(),
  })
  .meta({ id: 'WaysToSignIn', examples: [{ passkeys: true, oidc: null, local: false }] })
