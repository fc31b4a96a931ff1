import { z } from 'zod'
import { consoleLink } from '../../../config/page-address.ts'
import { inTransaction } from '../../../db/database.ts'
import { ROLES } from '../../../domain/console/roles.ts'
import {
  addPerson,
  changeRole,
  inviteAgain,
  listPeople,
  removePerson,
} from '../../../domain/people/people.ts'
import type { RouteContext } from '../../route-context.ts'
import { bodyOf } from '../../schemas/body-of.ts'
import { emailInput, idInput, text, timestamp } from '../../schemas/fields.ts'
import { actorOf, sessionOf } from '../authenticate-session.ts'
import type { ConsoleApp } from '../operation.ts'
import { personSchema } from '../schemas.ts'

const listedSchema = personSchema
  .extend({
    created_at: timestamp,
    passkeys: z.int(),
    last_seen_at: timestamp.nullable().describe('In a session that has not been signed out'),
  })
  .meta({ id: 'ListedPerson' })

const peopleSchema = z.strictObject({ items: z.array(listedSchema) }).meta({ id: 'People' })

const invitedSchema = z
  .strictObject({
    person: personSchema,
    invitation_url: z.string().describe('Opens once, within 24 hours; shown only now'),
  })
  .meta({ id: 'Invited' })

const newPersonSchema = z.strictObject({
  email: emailInput,
  name: text(100),
  role: z.enum(ROLES),
})

const params = z.strictObject({ id: idInput('per') })

export function peopleRoutes(app: ConsoleApp, context: RouteContext): void {
  app.get('/people', {
    id: 'listPeople',
    summary: 'List who may use the console',
    tag: 'People',
    config: { limitClass: 'console', scope: 'person:read' },
    response: { 200: peopleSchema },
    async handler(request) {
      const people = await listPeople(context.db, sessionOf(request).people)
      return { items: people.map(bodyOf(listedSchema)) }
    },
  })
  invitationRoutes(app, context)
  changingRoutes(app, context)
}

function invitationRoutes(app: ConsoleApp, context: RouteContext): void {
  const { config, db, clock } = context
  const { origin } = config.console
  app.post('/people', {
    id: 'invitePerson',
    summary: 'Invite a person',
    tag: 'People',
    config: { limitClass: 'console', scope: 'person:write', needsConfirmation: true },
    body: newPersonSchema,
    response: { 201: invitedSchema },
    errors: ['tenant_suspended', 'already_exists', 'limit_reached'],
    async handler(request, reply) {
      const actor = actorOf(request, clock())
      const { person, token } = await inTransaction(db, (tx) => addPerson(tx, actor, request.body))
      reply.code(201)
      return { person, invitation_url: consoleLink(origin, token) }
    },
  })

  app.post('/people/:id/invitation', {
    id: 'invitePersonAgain',
    summary: 'Invite a person again; what they had ends a day later, once the link is opened',
    tag: 'People',
    config: { limitClass: 'console', scope: 'person:write', needsConfirmation: true },
    params,
    response: { 201: invitedSchema },
    errors: ['tenant_suspended', 'limit_reached'],
    async handler(request, reply) {
      const actor = actorOf(request, clock())
      const { id } = request.params
      const { person, token } = await inTransaction(db, (tx) => inviteAgain(tx, actor, id))
      reply.code(201)
      return { person, invitation_url: consoleLink(origin, token) }
    },
  })
}

function changingRoutes(app: ConsoleApp, { db, clock }: RouteContext): void {
  app.patch('/people/:id', {
    id: 'changePerson',
    summary: 'Change the role of a person',
    tag: 'People',
    config: { limitClass: 'console', scope: 'person:write', needsConfirmation: true },
    params,
    body: z.strictObject({ role: z.enum(ROLES) }),
    response: { 200: personSchema },
    errors: ['tenant_suspended', 'last_admin'],
    async handler(request) {
      const actor = actorOf(request, clock())
      const { role } = request.body
      const { id } = request.params
      return (await inTransaction(db, (tx) => changeRole(tx, actor, id, role))).person
    },
  })

  app.delete('/people/:id', {
    id: 'removePerson',
    summary: 'Remove a person; their sessions end at once',
    tag: 'People',
    config: { limitClass: 'console', scope: 'person:write', needsConfirmation: true },
    params,
    response: { 204: z.undefined().describe('Removed; empty body') },
    errors: ['tenant_suspended', 'last_admin'],
    async handler(request, reply) {
      const actor = actorOf(request, clock())
      await inTransaction(db, (tx) => removePerson(tx, actor, request.params.id))
      reply.code(204).send()
    },
  })
}
