import { type Command, InvalidArgumentError, Option } from 'commander'
import { consoleLink } from '../config/console-address.ts'
import { Refusal } from '../core/errors.ts'
import { inTransaction } from '../db/database.ts'
import {
  getPerson,
  inviteOrInviteAgain,
  listPeople,
  removePerson,
} from '../domain/console/people.ts'
import { ROLES, type Role } from '../domain/console/roles.ts'
import { endSessions } from '../domain/console/sessions.ts'
import { makeConsoleLink } from '../local/console-link.ts'
import { readDemoTenant } from '../local/seed.ts'
import type { CliIo } from './cli-io.ts'
import {
  type CommonOptions,
  defineCommand,
  runCommand,
  type TenantOptions,
} from './define-command.ts'
import { readId, requireTenant } from './options.ts'
import { formatFields, reportList, showTime } from './output.ts'
import { assertTenant } from './session.ts'

export function addConsoleCommands(program: Command, io: CliIo): void {
  const group = program.command('console').description('The console, and the people who use it.')
  addInvite(group, io)
  addPeople(group, io)
  addRemove(group, io)
  addEndSessions(group, io)
  addLink(group, io)
}

type Invitation = TenantOptions & { email: string; name?: string; role: Role }

function addInvite(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'invite',
    'Invite a person to the console of a tenant, or again one who lost their passkeys. The link opens once, within 24 hours.',
    ['console invite --tenant ten_… --email ada@example.com --name "Ada" --role admin'],
  )
    .requiredOption('--email <address>', 'the e-mail address', readEmail)
    .option('--name <text>', 'the name of the person; by default the address')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
  requireTenant(command).action(async (options: Invitation) => {
    await runCommand(io, options, async ({ db, now }) => {
      const { tenant: tenantId, email, name = email, role } = options
      const address = locateConsole(io)
      const { person, token } = await inTransaction(db, (tx) =>
        inviteOrInviteAgain(tx, { tenantId, now }, { email, name, role }),
      )
      const link = consoleLink(address, token)
      const data = { ...person, tenant_id: tenantId, invitation_url: link }
      const fields = { person: person.id, email: person.email, role: person.role }
      return { data, text: `${formatFields(fields)}\n\n${link}\nThis link is shown only now.` }
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
      const people = await listPeople(session.db, options.tenant)
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
  const command = defineCommand(
    group,
    'remove',
    'Remove a person from the console. Their sessions end at once.',
    ['console remove per_… --tenant ten_…'],
  ).argument('<person_id>', 'the person, per_…', readId('per'))
  requireTenant(command).action(async (personId: string, options: TenantOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const actor = { tenantId: options.tenant, now }
      const person = await inTransaction(db, (tx) => removePerson(tx, actor, personId))
      return { data: { ...person, removed_at: now }, text: `${person.email} is removed.` }
    })
  })
}

function addEndSessions(group: Command, io: CliIo): void {
  const sessions = group.command('sessions').description("People's sessions in the console.")
  const command = defineCommand(
    sessions,
    'end',
    'Sign a person out everywhere, at once; their passkeys still sign them in.',
    ['console sessions end per_… --tenant ten_…'],
  ).argument('<person_id>', 'the person, per_…', readId('per'))
  requireTenant(command).action(async (personId: string, options: TenantOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const { tenant: tenantId } = options
      const ended = await inTransaction(db, async (tx) => {
        const { id } = await getPerson(tx, tenantId, personId)
        return await endSessions(tx, { tenantId, now }, id)
      })
      return { data: { id: personId, sessions_ended: ended }, text: `${ended} sessions ended.` }
    })
  })
}

function addLink(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'link',
    'Print a link that signs the demo tenant in to the console of the local stack (npm start). It opens once.',
    ['console link'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const { localFolder } = io.loadConfig()
      const demo = readDemoTenant(localFolder)
      if (!demo) {
        const detail = `There is no local stack in ${localFolder}: run npm start. In a deployment use console invite.`
        throw new Refusal('unavailable', detail)
      }
      const { tenant_id: tenantId, base_url: baseUrl } = demo
      const link = await makeConsoleLink(db, { tenantId, baseUrl }, now)
      return { data: { url: link }, text: link }
    })
  })
}

/** From PUBLIC_URL, else the local stack's; refuses `unavailable` without either. */
function locateConsole(io: CliIo): string {
  const { publicUrl, databaseUrl, localFolder } = io.loadConfig()
  const local = databaseUrl === undefined ? readDemoTenant(localFolder)?.base_url : undefined
  const address = publicUrl ?? local
  if (address !== undefined) return address
  throw new Refusal('unavailable', 'PUBLIC_URL is not set: set it to the address that people open.')
}

function readEmail(text: string): string {
  if (/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(text)) return text
  throw new InvalidArgumentError('Expected an e-mail address.')
}

function toJson({
  createdAt,
  lastSeenAt,
  ...person
}: Awaited<ReturnType<typeof listPeople>>[number]) {
  return { ...person, created_at: createdAt, last_seen_at: lastSeenAt }
}
