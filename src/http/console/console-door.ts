import { keyOf } from '../../domain/people/person.ts'
import { countPasskeys } from '../../domain/people/sign-in/passkeys.ts'
import { CONSOLE_COOKIE, CONSOLE_FLOW_COOKIE } from '../browser/cookies.ts'
import type { Door, DoorOperation } from '../people/door.ts'
import { describeAccount } from '../people/sign-in-schemas.ts'
import type { RouteContext } from '../route-context.ts'
import { sessionOf } from './authenticate-session.ts'
import { describeOperation } from './operation.ts'
import { sessionSchema, toSessionBody } from './schemas.ts'

/** Where tenants' people come in. */
export function consoleDoorOf(context: RouteContext): Door<'tenant'> {
  const { config, db, clock, sealer, logger, identityProvider } = context
  const { origin, relyingPartyId, mode } = config.console
  const isLocal = mode === 'local'
  return {
    ...{ audience: 'tenant', home: '/console/', origin, relyingPartyId, isLocal },
    ...{ cookie: CONSOLE_COOKIE, flowCookie: CONSOLE_FLOW_COOKIE, identityProvider },
    ...{ sessionOf, sessionSchema, operation, db, clock, sealer, logger },
    async describeSession(session) {
      const passkeys = await countPasskeys(db, keyOf(session))
      const account = await describeAccount(db, session)
      const { stack, webhookSources } = config
      const given = { stack, build: context.build, webhookSources, isLocal, passkeys }
      return { ...toSessionBody(session, given), ...account }
    },
    hasMailServer: config.mail !== undefined,
    linkName: 'SignInLink',
    linkExample: 'ten_01k9x4m2q8e0tb7f2v5j6h8n3c.Q2hhbmdlIG1lIGJlZm9yZSB5b3Ugc2hpcCBtZSEhISE',
  }
}

function operation({ isPost, ...definition }: DoorOperation) {
  return describeOperation(definition)
}
