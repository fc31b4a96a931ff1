// Every command is an entry of a table, made by one of the functions here. The name, what it takes and what it
// answers are data; the function of the entry reads or changes the database and prints nothing.
import type { Command } from 'commander'
import { describeCommand, FaultReported } from '../../command-line/program.ts'
import type { Db } from '../../db/database.ts'
import type { GuardedAct } from '../../domain/operators/acts/guarded-act.ts'
import { type ChangeSession, withChanges } from './change.ts'
import type { CliIo } from './cli-io.ts'
import { ACTOR, AS_JSON, MAY_REASON, MUST_REASON, takesOf } from './members.ts'
import { nameItems } from './name-items.ts'
import { type Answer, formatItems, printAnswer, toMembers } from './output.ts'
import { addParameters, type Given, type Parameters, readGiven } from './parameters.ts'
import { assertTenant, type Session, withSession } from './session.ts'

export type CliCommand = {
  /** With the names of its groups: `operators tokens list`. */
  name: string
  about: string
  /** Without the program's name. */
  examples: readonly string[]
  takes: Parameters
  run: (io: CliIo, given: Given<Parameters>) => Promise<Answer | undefined>
}

type Entry<Takes extends Parameters> = Omit<CliCommand, 'takes' | 'run'> & { takes?: Takes }

/** A command of its own kind: without a database, or with another than the commands' usual one. */
export function command<Takes extends Parameters>(
  entry: Entry<Takes> & {
    run: (io: CliIo, given: Given<Takes & { json: typeof AS_JSON }>) => Promise<Answer | undefined>
  },
): CliCommand {
  const takes: Parameters = { ...entry.takes, json: AS_JSON }
  const { run } = entry
  return { ...entry, takes, run: async (io, given) => await run(io, given as never) }
}

/** A command that changes nothing. It answers undefined if it has written its output itself. */
export function read<Takes extends Parameters>(
  entry: Entry<Takes> & {
    read: (session: Session, given: Given<Takes>) => Promise<Answer | undefined>
  },
): CliCommand {
  return command({
    ...entry,
    run: (io, given) =>
      withSession(io, async (session) => {
        await assertGivenTenant(session, given)
        return await entry.read(session, given)
      }),
  })
}

/** A list is shown to people as a table of these columns, or as a sentence for a list of none. */
type Table = { columns: readonly string[]; empty: string }

/** A list. Its items are values of the domain. */
export function list<Takes extends Parameters>(
  entry: Entry<Takes> & {
    list: (session: Session, given: Given<Takes>) => Promise<readonly object[]>
    columns: readonly string[]
    empty: string | ((given: Given<Takes>) => string)
  },
): CliCommand {
  return read({
    ...entry,
    async read(session, given) {
      const { columns, empty } = entry
      const table = { columns, empty: typeof empty === 'string' ? empty : empty(given) }
      return await answerList(session.db, await entry.list(session, given), table)
    },
  })
}

export async function answerList(
  db: Db,
  found: readonly object[],
  { columns, empty }: Table,
): Promise<Answer> {
  const items = await nameItems(db, found.map(toMembers))
  return { data: { items }, shown: items.length === 0 ? empty : formatItems(items, columns) }
}

/** A command that changes the database. What it does is recorded with who did it. */
export function change<Takes extends Parameters>(
  entry: Entry<Takes> & {
    change: (
      session: ChangeSession,
      given: Given<Takes & { json: typeof AS_JSON }>,
    ) => Promise<Answer | undefined>
    connections?: (given: Given<Takes>) => number
  },
): CliCommand {
  const takes = { ...entry.takes, actor: ACTOR } as Takes & { actor: typeof ACTOR }
  return command({
    ...entry,
    takes,
    async run(io, given) {
      const { actor, reason } = given as Given<Parameters>
      const by = { actor, reason, connections: entry.connections?.(given) }
      return await withChanges(io, by, async (session) => {
        await assertGivenTenant(session, given)
        return await entry.change(session, given)
      })
    },
  })
}

/** An act of the operators: it takes the members of the act's request, and the reason. */
export function act<Request extends object, Result>(
  guarded: GuardedAct<Request, Result>,
  entry: Entry<Parameters> & {
    needsReason?: true
    /** A sentence, where programs read the id of what was decided, and the reason. */
    done:
      | string
      | ((result: Result, request: Request, session: ChangeSession) => Answer | Promise<Answer>)
  },
): CliCommand {
  const members = takesOf(guarded.schema)
  const reason = entry.needsReason ? MUST_REASON : MAY_REASON
  return change({
    ...entry,
    takes: { ...members, reason } as Parameters,
    async change(session, given) {
      const names = Object.keys(members)
      const asked = Object.fromEntries(names.map((name) => [name, given[name]]))
      const request = guarded.schema.parse(asked)
      const { done } = entry
      return await session.actOrPropose(guarded, request, (result) =>
        typeof done === 'string'
          ? { data: { id: subjectOf(request), reason: session.reason }, shown: done }
          : done(result, request, session),
      )
    },
  })
}

const subjectOf = ({ tenantId: _, ...of }: Given<Parameters>) => Object.values(of)[0]

/** Refuses `not_found`: an empty list would hide a mistyped id. */
async function assertGivenTenant(session: Session, { tenantId }: Given<Parameters>) {
  if (tenantId !== undefined) await assertTenant(session, tenantId)
}

/** Adds the commands in their order, each below its groups; `groups` describes those. */
export function addCommands(
  program: Command,
  io: CliIo,
  groups: Readonly<Record<string, string>>,
  commands: readonly CliCommand[],
): void {
  const made = new Map<string, Command>([['', program]])
  const groupOf = (path: readonly string[]): Command => {
    const name = path.join(' ')
    const known = made.get(name)
    if (known) return known
    const group = groupOf(path.slice(0, -1)).command(path.at(-1) ?? '')
    made.set(name, group.description(groups[name] ?? ''))
    return group
  }
  for (const entry of commands) {
    const path = entry.name.split(' ')
    const added = groupOf(path.slice(0, -1)).command(path.at(-1) ?? '')
    describeCommand(added, entry.about, entry.examples)
    addParameters(added, entry.takes)
    added.action(async () => {
      const given = readGiven(added, entry.takes)
      const answer = await entry.run(io, given)
      if (answer) printAnswer(io, given, answer)
      if (answer?.refusal) throw answer.refusal
      if (answer?.isFault) throw new FaultReported()
    })
  }
}
