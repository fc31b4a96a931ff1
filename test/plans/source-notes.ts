/**
 * What the comment beside a query function, or within it, states about what it reads:
 *
 *     // @plan reads facilities, portfolios: every round of prices values all of them.
 *
 * The tables named, or `everything`, may then be read as far as the function likes.
 */
export type PlanNote = { tables: readonly string[]; reason: string }

const NOTE = /@plan reads ([a-z_]+(?:, [a-z_]+)*): (\S.*)/g

/**
 * Why a statement names no tenant:
 *
 *     // @across tenants: the desk has one list of all.
 *     // @one server: pages go from tenant to tenant.
 *
 * The first is answered by all servers of a distributed database together; the second is never sent to
 * one, where the function is called for one tenant, or another one in its place.
 */
export type RoutingNote = { kind: 'across tenants' | 'one server'; reason: string }

const ROUTING_NOTE = /@(across tenants|one server): (\S.*)/g

/** The notes of a source file, by the exported name that they belong to. */
export function readPlanNotes(source: string): Map<string, PlanNote[]> {
  return readNotes(source, NOTE, ([, tables = '', reason = '']) => ({
    tables: tables.split(', '),
    reason,
  }))
}

export function readRoutingNotes(source: string): Map<string, RoutingNote[]> {
  return readNotes(source, ROUTING_NOTE, ([, kind = '', reason = '']) => ({
    kind: kind as RoutingNote['kind'],
    reason,
  }))
}

function readNotes<Note>(
  source: string,
  pattern: RegExp,
  toNote: (match: RegExpExecArray) => Note,
): Map<string, Note[]> {
  const notes = new Map<string, Note[]>()
  for (const part of splitAtExports(source)) {
    const name = /^export (?:async )?(?:function|const) (\w+)/m.exec(part)?.[1]
    if (name !== undefined) notes.set(name, [...part.matchAll(pattern)].map(toNote))
  }
  return notes
}

/** One part for each export, with the comment above it. */
function splitAtExports(source: string): string[] {
  return source.split(/^(?=\/\*\*|export )/m).reduce<string[]>((parts, part) => {
    const last = parts.at(-1)
    const continuesComment = last?.startsWith('/**') === true && !/^export /m.test(last)
    if (last !== undefined && continuesComment) parts[parts.length - 1] = last + part
    else parts.push(part)
    return parts
  }, [])
}
