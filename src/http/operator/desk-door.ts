import { z } from 'zod'
import { actsOf } from '../../domain/operators/roles.ts'
import { keyOf } from '../../domain/people/person.ts'
import { countPasskeys } from '../../domain/people/sign-in/passkeys.ts'
import type { DeskSession } from '../../domain/people/sign-in/sessions.ts'
import { DESK_COOKIE, DESK_FLOW_COOKIE } from '../browser/cookies.ts'
import type { Door, DoorOperation } from '../people/door.ts'
import { accountNotices, describeAccount } from '../people/sign-in-schemas.ts'
import { timestamp } from '../schemas/fields.ts'
import { WITH_BODY } from '../schemas/operation.ts'
import { operatorSessionOf } from './authenticate-operator.ts'
import { describeOperation } from './operation.ts'
import type { OperatorContext } from './operator-context.ts'
import { OPERATOR_EXAMPLE, operatorSchema } from './operator-schema.ts'

const sessionSchema = z
  .strictObject({
    person: operatorSchema,
    stack: z.enum(['live', 'sandbox']),
    build: z.string().describe('The version, and in an image its commit and date'),
    local: z.boolean().describe('The stack that npm start runs on this machine'),
    four_eyes: z.boolean().describe('Whether some acts need a second operator'),
    acts: z.array(z.string()).describe('What the role allows beyond reading'),
    signed_in_by: z.enum(['link', 'invitation', 'passkey', 'oidc']),
    passkeys: z.int().describe('How many passkeys the operator has'),
    must_add_passkey: z.boolean().describe('Until a passkey is added, nothing else is allowed'),
    ...accountNotices,
    expires_at: timestamp.describe(
      'At the latest; after 12 hours without a request it ends sooner',
    ),
  })
  .meta({
    id: 'DeskSession',
    examples: [
      {
        person: OPERATOR_EXAMPLE,
        stack: 'live',
        build: '1.0.0+3f2a1bc4.2026-11-28',
        local: false,
        four_eyes: true,
        acts: ['borrowers.block', 'borrowers.unblock'],
        signed_in_by: 'passkey',
        passkeys: 2,
        must_add_passkey: false,
        ...{ notices: [], notices_more: 0, replaced_at: null },
        expires_at: '2026-11-28T12:00:00.000Z',
      },
    ],
  })

/** Where the lender's own people come in. */
export function deskDoorOf(context: OperatorContext): Door<'lender'> {
  const { config, db, clock, sealer, logger, deskIdentityProvider: identityProvider } = context
  const { origin, relyingPartyId, mode } = config.desk
  return {
    ...{ audience: 'lender', home: '/desk/', origin, relyingPartyId, isLocal: mode === 'local' },
    ...{ cookie: DESK_COOKIE, flowCookie: DESK_FLOW_COOKIE, identityProvider },
    ...{ sessionOf: operatorSessionOf, sessionSchema, operation, db, clock, sealer, logger },
    describeSession: (session) => describeSession(context, session),
    hasMailServer: config.mail !== undefined,
    linkName: 'OperatorSignInLink',
    linkExample: 'opi.Q2hhbmdlIG1lIGJlZm9yZSB5b3Ugc2hpcCBtZSEhISEhISE',
  }
}

function operation({ isPost, errors = [], ...given }: DoorOperation) {
  return describeOperation({
    ...given,
    tag: 'Session',
    errors: [...errors, ...(isPost ? WITH_BODY : [])],
  })
}

async function describeSession(
  { config, db, build }: OperatorContext,
  session: DeskSession,
): Promise<z.input<typeof sessionSchema>> {
  const { person, signedInBy, mustAddPasskey, expiresAt } = session
  return {
    person,
    stack: config.stack,
    build,
    local: config.desk.mode === 'local',
    four_eyes: config.isFourEyes,
    acts: actsOf(person.role),
    signed_in_by: signedInBy,
    passkeys: await countPasskeys(db, keyOf(session)),
    must_add_passkey: mustAddPasskey,
    ...(await describeAccount(db, session)),
    expires_at: expiresAt.toISOString(),
  }
}
