import { type Command, Option } from 'commander'
import { consoleLink } from '../config/page-address.ts'
import { Refusal } from '../core/errors.ts'
import type { Db } from '../db/database.ts'
import { peopleOf } from '../db/sql/people-tables.ts'
import { type ApiKey, listKeys } from '../domain/auth/keys.ts'
import { findKeyMakers } from '../domain/console/actions.ts'
import { ROLES, type Role } from '../domain/console/roles.ts'
import { INVITE_PERSON, REMOVE_PERSON } from '../domain/operators/acts/access-acts.ts'
import { getPerson, listPeople } from '../domain/people/people.ts'
import { endSessions } from '../domain/people/sign-in/sessions.ts'
import { writeConsoleLink } from '../local/page-links.ts'
import { readDemoTenant } from '../local/seed.ts'
import {
  type ChangeOptions,
  defineChange,
  offerReason,
  reportOutcome,
  resultOf,
  runChange,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { defineCommand, runCommand, type TenantOptions } from './command/define-command.ts'
import { locateConsole } from './command/locate-pages.ts'
import { readEmail, readId, requireTenant } from './command/options.ts'
import { formatFields, reportList, showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

export function addConsoleCommands(program: Command, io: CliIo): void {
  const group = program.command('console').description('The console, and the people who use it.')
  addInvite(group, io)
  addPeople(group, io)
  addRemove(group, io)
  addEndSessions(group, io)
  addLink(group, io)
}

type ForTenant = ChangeOptions & { tenant: string }

type Invitation = ForTenant & { email: string; name?: string; role: Role }

function addInvite(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'invite',
    'Invite a person to the console of a tenant. The link opens once, within 24 hours. Refused for one who can sign in: the tenant invites them again. With --actor, another operator confirms it.',
    ['console invite --tenant ten_… --email ada@example.com --name "Ada" --role admin'],
  )
    .requiredOption('--email <address>', 'the e-mail address', readEmail)
    .option('--name <text>', 'the name of the person; by default the address')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
  requireTenant(offerReason(command)).action(async (options: Invitation) => {
    await runChange(io, options, async ({ changeOrPropose }) => {
      const { tenant: tenantId, email, name = email, role } = options
      const address = locateConsole(io)
      const asked = { tenantId, email, name, role }
      const outcome = await changeOrPropose(INVITE_PERSON, asked, options.reason)
      return reportOutcome(outcome, ({ person, token }) => {
        const link = consoleLink(address, token)
        const data = { ...person, tenant_id: tenantId, invitation_url: link }
        const fields = { person: person.id, email: person.email, role: person.role }
        return { data, text: `${formatFields(fields)}\n\n${link}\nThis link is shown only now.` }
      })
    })
  })
}

function addPeople(group: Command, io: CliIo): void {
  const command = defineCommand(group, 'people', 'List who may use the console of a tenant.', [
    'console people --tenant ten_…',
  ])
  requireTenant(command).action(async (options: TenantOptions) => {
    await runCommand(io, options, async (session) => {
      await assertTenant(session, options.tenant)
      const people = await listPeople(session.db, peopleOf(options.tenant))
      return reportList(people.map(toJson), {
        columns: ['id', 'email', 'name', 'role', 'passkeys', 'last seen'],
        rows: people.map((person) => [
          ...[person.id, person.email, person.name, person.role, String(person.passkeys)],
          showTime(person.lastSeenAt),
        ]),
        empty: 'No one has been invited yet.',
      })
    })
  })
}

function addRemove(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'remove',
    'Remove a person from the console. Their sessions end at once.',
    ['console remove per_… --tenant ten_…'],
  ).argument('<person_id>', 'the person, per_…', readId('per'))
  requireTenant(offerReason(command)).action(async (personId: string, options: ForTenant) => {
    await runChange(io, options, async ({ db, now, changeOrPropose }) => {
      const asked = { tenantId: options.tenant, personId }
      const outcome = await changeOrPropose(REMOVE_PERSON, asked, options.reason)
      const person = resultOf(outcome)
      const keys = await findActiveKeysOf(db, asked, now)
      return {
        data: { ...person, removed_at: now, active_keys: keys.map(({ id }) => id) },
        text: [`${person.email} is removed.`, ...keys.map(describeKeyLeft(options.tenant))].join(
          '\n',
        ),
      }
    })
  })
}

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

const describeKeyLeft =
  (tenantId: string) =>
  ({ id, label }: ApiKey) =>
    `They made the key ${label}, which goes on working. To revoke it: keys revoke ${id} --tenant ${tenantId}`

function addEndSessions(group: Command, io: CliIo): void {
  const sessions = group.command('sessions').description("People's sessions in the console.")
  const command = defineChange(
    sessions,
    'end',
    'Sign a person out everywhere, at once; their passkeys still sign them in.',
    ['console sessions end per_… --tenant ten_…'],
  ).argument('<person_id>', 'the person, per_…', readId('per'))
  requireTenant(offerReason(command)).action(async (personId: string, options: ForTenant) => {
    await runChange(io, options, async ({ now, change }) => {
      const { tenant: tenantId } = options
      const ended = await change(async (tx) => {
        const key = { ...peopleOf(tenantId), personId }
        const { id } = await getPerson(tx, key)
        const count = await endSessions(tx, { ...peopleOf(tenantId), now }, key)
        const subject = { kind: 'console_person', id }
        const after = { sessions_ended: count }
        return {
          result: count,
          act: { action: 'console.end_sessions', subject, tenantId, after },
        }
      })
      return { data: { id: personId, sessions_ended: ended }, text: `${ended} sessions ended.` }
    })
  })
}

function addLink(group: Command, io: CliIo): void {
  defineChange(
    group,
    'link',
    'Print a link that signs the demo tenant in to the console of the local stack (npm start). It opens once.',
    ['console link'],
  ).action(async (options: ChangeOptions) => {
    await runChange(io, options, async ({ now, change }) => {
      const { localFolder } = io.loadConfig()
      const demo = readDemoTenant(localFolder)
      if (!demo) {
        const detail = `There is no local stack in ${localFolder}: run npm start. In a deployment use console invite.`
        throw new Refusal('unavailable', detail)
      }
      const { tenant_id: tenantId, base_url: baseUrl } = demo
      const link = await change(async (tx) => ({
        result: await writeConsoleLink(tx, { tenantId, baseUrl }, now),
        act: { action: 'console.link', tenantId },
      }))
      return { data: { url: link }, text: link }
    })
  })
}

function toJson({
  createdAt,
  lastSeenAt,
  ...person
}: Awaited<ReturnType<typeof listPeople>>[number]) {
  return { ...person, created_at: createdAt, last_seen_at: lastSeenAt }
}
