/**
 * What the comment beside a query function, or within it, states about what it reads:
 *
 *     // @plan reads facilities, portfolios: every round of prices values all of them.
 *
 * The tables named, or `everything`, may then be read as far as the function likes.
 */
export type PlanNote = { tables: readonly string[]; reason: string }

const NOTE = /@plan reads ([a-z_]+(?:, [a-z_]+)*): (\S.*)/g

/** The notes of a source file, by the exported name that they belong to. */
export function readPlanNotes(source: string): Map<string, PlanNote[]> {
  const notes = new Map<string, PlanNote[]>()
  for (const part of splitAtExports(source)) {
    const name = /^export (?:async )?(?:function|const) (\w+)/m.exec(part)?.[1]
    if (name === undefined) continue
    notes.set(
      name,
      [...part.matchAll(NOTE)].map(([, tables = '', reason = '']) => ({
        tables: tables.split(', '),
        reason,
      })),
    )
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
