import { consoleLink } from '../../config/page-address.ts'
import { Refusal } from '../../core/errors.ts'
import type { Db } from '../../db/database.ts'
import { peopleOf } from '../../db/sql/people-tables.ts'
import { type ApiKey, listKeys } from '../../domain/auth/keys.ts'
import { findKeyMakers } from '../../domain/console/actions.ts'
import { ROLES } from '../../domain/console/roles.ts'
import { INVITE_PERSON, REMOVE_PERSON } from '../../domain/operators/acts/access-acts.ts'
import { getPerson, listPeople } from '../../domain/people/people.ts'
import { endSessions } from '../../domain/people/sign-in/sessions.ts'
import { writeConsoleLink } from '../../local/page-links.ts'
import { readDemoTenant } from '../../local/seed.ts'
import { act, type CliCommand, change, list } from '../command/commands.ts'
import { locateConsole } from '../command/locate-pages.ts'
import { EMAIL, MAY_REASON, TENANT } from '../command/members.ts'
import { readId } from '../command/options.ts'
import { answerLink } from '../command/output.ts'
import { optional, required } from '../command/parameters.ts'

export const CONSOLE_COMMANDS: CliCommand[] = [
  change({
    name: 'console invite',
    about:
      'Invite a person to the console of a tenant. The link opens once, within 24 hours. Refused for one who can sign in: the tenant invites them again. With --actor, another operator confirms it.',
    examples: ['console invite --tenant ten_… --email ada@example.com --name "Ada" --role admin'],
    takes: {
      email: EMAIL,
      name: optional('--name <text>', 'the name of the person; by default the address'),
      role: required('--role <role>', 'what they may do', ROLES),
      reason: MAY_REASON,
      tenantId: TENANT,
    },
    async change({ io, actOrPropose }, { tenantId, email, name = email, role }) {
      const address = locateConsole(io)
      const asked = { tenantId, email, name, role }
      return await actOrPropose(INVITE_PERSON, asked, ({ person, token }) => {
        const { id, ...shown } = person
        const data = { ...person, tenant_id: tenantId }
        return answerLink(data, { person: id, ...shown }, consoleLink(address, token))
      })
    },
  }),
  list({
    name: 'console people',
    about: 'List who may use the console of a tenant.',
    examples: ['console people --tenant ten_…'],
    takes: { tenantId: TENANT },
    list: async ({ db }, { tenantId }) => await listPeople(db, peopleOf(tenantId)),
    columns: ['id', 'email', 'name', 'role', 'passkeys', 'last_seen_at'],
    empty: 'No one has been invited yet.',
  }),
  act(REMOVE_PERSON, {
    name: 'console remove',
    about: 'Remove a person from the console. Their sessions end at once.',
    examples: ['console remove per_… --tenant ten_…'],
    async done(person, asked, { db, now }) {
      const keys = await findActiveKeysOf(db, asked, now)
      const left = keys.map(
        ({ id, label }) =>
          `They made the key ${label}, which goes on working. To revoke it: keys revoke ${id} --tenant ${asked.tenantId}`,
      )
      return {
        data: { ...person, removed_at: now, active_keys: keys.map(({ id }) => id) },
        shown: [`${person.email} is removed.`, ...left].join('\n'),
      }
    },
  }),
  change({
    name: 'console sessions end',
    about: 'Sign a person out everywhere, at once; their passkeys still sign them in.',
    examples: ['console sessions end per_… --tenant ten_…'],
    takes: {
      personId: required('<person_id>', 'the person, per_…', readId('per')),
      reason: MAY_REASON,
      tenantId: TENANT,
    },
    async change({ now, makeChange }, { tenantId, personId }) {
      const ended = await makeChange(async (tx) => {
        const key = { ...peopleOf(tenantId), personId }
        const { id } = await getPerson(tx, key)
        const count = await endSessions(tx, { ...peopleOf(tenantId), now }, key)
        const subject = { kind: 'console_person', id }
        const after = { sessions_ended: count }
        const made = { action: 'console.end_sessions' as const, subject, tenantId, after }
        return { result: count, act: made }
      })
      return { data: { id: personId, sessions_ended: ended }, shown: `${ended} sessions ended.` }
    },
  }),
  change({
    name: 'console link',
    about:
      'Print a link that signs the demo tenant in to the console of the local stack (npm start). It opens once.',
    examples: ['console link'],
    async change({ config: { localFolder }, now, makeChange }) {
      const demo = readDemoTenant(localFolder)
      if (!demo) {
        const detail = `There is no local stack in ${localFolder}: run npm start. In a deployment use console invite.`
        throw new Refusal('unavailable', detail)
      }
      const { tenant_id: tenantId, base_url: baseUrl } = demo
      const url = await makeChange(async (tx) => ({
        result: await writeConsoleLink(tx, { tenantId, baseUrl }, now),
        act: { action: 'console.link', tenantId },
      }))
      return { data: { url }, shown: url }
    },
  }),
]

/** Those that go on working without the person who made them. */
async function findActiveKeysOf(
  db: Db,
  { tenantId, personId }: { tenantId: string; personId: string },
  now: Date,
): Promise<ApiKey[]> {
  const makers = await findKeyMakers(db, tenantId)
  const keys = await listKeys(db, tenantId, now)
  return keys.filter(({ id, state }) => state === 'active' && makers.get(id) === personId)
}
