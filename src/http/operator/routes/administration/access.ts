import { z } from 'zod'
import { consoleLink } from '../../../../config/page-address.ts'
import { SCOPES } from '../../../../core/scopes.ts'
import { peopleOf } from '../../../../db/sql/people-tables.ts'
import { listKeys } from '../../../../domain/auth/keys.ts'
import { findKeyMakers } from '../../../../domain/console/actions.ts'
import { ROLES } from '../../../../domain/console/roles.ts'
import {
  INVITE_PERSON,
  REGISTER_KEY,
  REMOVE_PERSON,
  REVOKE_KEY,
} from '../../../../domain/operators/acts/access-acts.ts'
import { listPeople } from '../../../../domain/people/people.ts'
import { getTenant } from '../../../../domain/tenants/tenants.ts'
import { bodyOf } from '../../../schemas/body-of.ts'
import {
  emailInput,
  idInput,
  idText,
  listOf,
  text,
  timestamp,
  timestampInput,
} from '../../../schemas/fields.ts'
import { actRoute } from '../../act-route.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'
import {
  hasLink,
  linkedOutcome,
  outcomeSchema,
  perform,
  reasonText,
  toOutcomeBody,
  withReason,
} from '../../perform-act.ts'
import { tenantParams } from './tenants.ts'

const KEY_EXAMPLE = {
  id: 'key_01k9x4m2q8e0tb7f2v5j6h8n3c',
  state: 'active' as const,
  label: 'production',
  scopes: ['borrower:read'],
  created_at: '2026-11-22T12:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  made_by: 'per_01k9x4m2q8e0tb7f2v5j6h8n3c',
}

const keySchema = z
  .strictObject({
    id: idText('key'),
    state: z.enum(['active', 'expired', 'revoked']),
    label: z.string(),
    scopes: z.array(z.string()),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().describe('To the minute'),
    made_by: idText('per')
      .nullable()
      .describe('The person who made it in the console, also one who was removed'),
  })
  .meta({ id: 'TenantKey', examples: [KEY_EXAMPLE] })

const NEW_KEY_EXAMPLE = {
  public_key_pem:
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
  ...{ label: 'production', scopes: ['borrower:read' as const], reason: 'sent by their CTO' },
}

const REGISTERED_EXAMPLE = {
  ...{ outcome: 'done' as const, approval_id: null, expires_at: null },
  key_id: KEY_EXAMPLE.id,
}

const PERSON_EXAMPLE = {
  id: 'per_01k9x4m2q8e0tb7f2v5j6h8n3c',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin' as const,
}

const person = {
  id: idText('per'),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
}

const LISTED_EXAMPLE = {
  ...PERSON_EXAMPLE,
  ...{ passkeys: 1, created_at: '2026-11-22T12:00:00.000Z', last_seen_at: null },
}

const personSchema = z
  .strictObject({
    ...person,
    ...{ passkeys: z.int(), created_at: timestamp, last_seen_at: timestamp.nullable() },
  })
  .meta({ id: 'TenantPerson', examples: [LISTED_EXAMPLE] })

const invitedSchema = z
  .strictObject({ ...linkedOutcome, person: z.strictObject(person).nullable() })
  .meta({
    id: 'InvitedTenantPerson',
    examples: [
      {
        ...{ outcome: 'proposed', approval_id: 'apr_01k9x4m2q8e0tb7f2v5j6h8n3c' },
        ...{ expires_at: '2026-11-25T12:00:00.000Z', invitation_url: null, person: null },
      },
    ],
  })

/** Who may sign requests and use the console for a tenant. */
export function accessRoutes(app: OperatorApp, context: OperatorContext): void {
  addKeys(app, context)
  addRegistration(app, context)
  addPeopleReads(app, context)
  addPeopleWrites(app, context)
}

function addKeys(app: OperatorApp, context: OperatorContext): void {
  const { db, clock } = context
  app.get('/tenants/:tenant_id/keys', {
    id: 'listTenantKeys',
    summary: "List a tenant's API keys, oldest first, revoked ones too",
    tag: 'Administration',
    params: tenantParams,
    response: { 200: listOf(keySchema, 'TenantKeys', KEY_EXAMPLE) },
    async handler(request) {
      const { id } = await getTenant(db, request.params.tenant_id)
      const makers = await findKeyMakers(db, id)
      const keys = await listKeys(db, id, clock())
      return { items: keys.map((key) => toKeyBody({ ...key, madeBy: makers.get(key.id) })) }
    },
  })

  actRoute(app, context, '/tenants/:tenant_id/keys/:key_id/revoke', {
    id: 'revokeTenantKey',
    summary: 'Revoke an API key for good; every process refuses it within five seconds',
    tag: 'Administration',
    config: { needsConfirmation: true },
    params: tenantParams.extend({ key_id: idInput('key') }),
    example: { reason: 'contract ended' },
    guarded: REVOKE_KEY,
  })
}

function addRegistration(app: OperatorApp, context: OperatorContext): void {
  app.post('/tenants/:tenant_id/keys', {
    id: 'registerTenantKey',
    summary: 'Register the public half of a key that a tenant has made',
    description: 'Another operator confirms it if the tenant has an active key.',
    tag: 'Administration',
    config: { needsConfirmation: true },
    params: tenantParams,
    body: withReason(
      {
        public_key_pem: z.string().max(1_000).describe('Ed25519, in SPKI PEM'),
        label: text(100),
        scopes: z.array(z.enum(SCOPES)).min(1),
        expires_at: timestampInput.optional(),
      },
      NEW_KEY_EXAMPLE,
    ),
    response: {
      200: outcomeSchema
        .extend({ key_id: idText('key').nullable().describe('null: it is proposed') })
        .meta({ id: 'RegisteredTenantKey', examples: [REGISTERED_EXAMPLE] }),
    },
    errors: ['scope_missing', 'already_exists', 'limit_reached'],
    async handler(request) {
      const { public_key_pem: publicKeyPem, label, scopes, expires_at, reason } = request.body
      const asked = {
        ...{ tenantId: request.params.tenant_id, publicKeyPem, label },
        ...{ scopes: [...new Set(scopes)], expiresAt: expires_at?.toISOString() ?? null },
      }
      return await perform(context, request, REGISTER_KEY, {
        ...{ asked, reason },
        toBody: (outcome) => ({
          ...toOutcomeBody(outcome),
          key_id: outcome.kind === 'done' ? outcome.result.id : null,
        }),
      })
    },
  })
}

function addPeopleReads(app: OperatorApp, { db }: OperatorContext): void {
  app.get('/tenants/:tenant_id/people', {
    id: 'listTenantPeople',
    summary: 'List who may use the console of a tenant',
    tag: 'Administration',
    params: tenantParams,
    response: { 200: listOf(personSchema, 'TenantPeople', LISTED_EXAMPLE) },
    async handler(request) {
      const { id } = await getTenant(db, request.params.tenant_id)
      return { items: (await listPeople(db, peopleOf(id))).map(toPersonBody) }
    },
  })
}

function addPeopleWrites(app: OperatorApp, context: OperatorContext): void {
  const { origin } = context.config.console
  app.post('/tenants/:tenant_id/people', {
    id: 'inviteTenantPerson',
    summary:
      'Invite a person to the console of a tenant; another operator confirms it. Refused for one who can sign in',
    tag: 'Administration',
    config: { needsConfirmation: true },
    params: tenantParams,
    body: z
      .strictObject({
        ...{ email: emailInput, name: text(100), role: z.enum(ROLES), reason: reasonText },
      })
      .meta({
        examples: [{ email: 'ada@example.com', name: 'Ada', role: 'admin', reason: 'first admin' }],
      }),
    response: { 201: invitedSchema },
    errors: ['scope_missing', 'already_exists', 'last_admin', 'limit_reached'],
    async handler(request, reply) {
      const { reason, ...member } = request.body
      const asked = { tenantId: request.params.tenant_id, ...member }
      reply.code(201)
      return await perform(context, request, INVITE_PERSON, {
        ...{ asked, reason, holdsSecret: hasLink },
        toBody: (outcome) => ({
          ...toOutcomeBody(outcome),
          person: outcome.kind === 'done' ? outcome.result.person : null,
          invitation_url:
            outcome.kind === 'done' ? consoleLink(origin, outcome.result.token) : null,
        }),
      })
    },
  })

  actRoute(app, context, '/tenants/:tenant_id/people/:person_id/remove', {
    id: 'removeTenantPerson',
    summary: 'Remove a person from the console of a tenant; their sessions end at once',
    tag: 'Administration',
    config: { needsConfirmation: true },
    params: tenantParams.extend({ person_id: idInput('per') }),
    example: { reason: 'contract ended' },
    errors: ['last_admin'],
    guarded: REMOVE_PERSON,
  })
}

const toKeyBody = bodyOf(keySchema)
const toPersonBody = bodyOf(personSchema)
