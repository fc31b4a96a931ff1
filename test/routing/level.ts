import { columnPath, type Node, unwrap } from './read-statement.ts'

/** What stands in a FROM list: a table with a tenant, one without, or anything else. */
export type Source = { name: string; kind: 'of tenants' | 'of no tenant' | 'derived' }

/** One SELECT, UPDATE, DELETE or INSERT with what it reads directly. */
export type Level = {
  sources: Map<string, Source>
  /** From whom a source's tenant follows: a source, or a value of the statement's parameters. */
  follows: { of: Source; from: Source | string }[]
  outer: Level | undefined
}

/** Within `outer`, if its rows are visible. */
export function createLevel(outer: Level | undefined): Level {
  return { sources: new Map(), follows: [], outer }
}

export type Values = readonly unknown[]

/** Whose tenant an expression names: a source of the level or of an outer one, or a value. */
export function tenantNamed(level: Level, node: Node, values: Values): Source | string | undefined {
  const { kind, body } = unwrap(node)
  if (kind === 'TypeCast') return tenantNamed(level, body.arg as Node, values)
  if (kind === 'ParamRef') {
    const value = values[Number(body.number ?? 0) - 1]
    return typeof value === 'string' ? value : undefined
  }
  if (kind === 'A_Const') return (body.sval as Node | undefined)?.sval as string | undefined
  const path = columnPath(node)
  if (path === undefined || path.at(-1) !== 'tenant_id') return undefined
  return path.length > 1 ? findSource(level, path.at(-2) ?? '') : nearestSource(level)
}

function findSource(level: Level, alias: string): Source | undefined {
  return level.sources.get(alias) ?? (level.outer && findSource(level.outer, alias))
}

/** The bare name `tenant_id` is of a table of the level, or of the outer ones. */
function nearestSource(level: Level): Source | undefined {
  const [own] = [...level.sources.values()].sort((a, b) => rank(a) - rank(b))
  return own ?? (level.outer && nearestSource(level.outer))
}

const rank = ({ kind }: Source) => ['of tenants', 'derived', 'of no tenant'].indexOf(kind)

/** An equality of two tenants; with `only` it restricts no other source than these. */
export function equate(
  level: Level,
  pair: readonly (Source | string | undefined)[],
  only?: ReadonlySet<Source>,
): void {
  const [left, right] = pair
  if (left === undefined || right === undefined) return
  for (const [of, from] of [
    [left, right],
    [right, left],
  ] as const) {
    if (typeof of === 'string' || (only && !only.has(of))) continue
    level.follows.push({ of, from })
  }
}

/** The tenants that a source is restricted to: one, if the statement is of one tenant. */
export function tenantsOf(level: Level, source: Source, seen = new Set<Source>()): Set<string> {
  if (seen.has(source)) return new Set()
  seen.add(source)
  const found = level.follows.filter(({ of }) => of === source)
  return new Set(
    found.flatMap(({ from }) =>
      typeof from === 'string' ? [from] : [...tenantsOf(level, from, seen)],
    ),
  )
}

/** Whether one equality leads to another between all tables of tenants that the level reads. */
export function isColocated(level: Level, start: readonly Source[] = []): boolean {
  const own = [...level.sources.values()].filter(({ kind }) => kind === 'of tenants')
  const all = [...start, ...own]
  const [first] = all
  if (first === undefined) return true
  const reached = new Set<Source>([first])
  for (let grown = true; grown; ) {
    grown = false
    for (const { of, from } of level.follows) {
      if (typeof from === 'string' || reached.has(of) === reached.has(from)) continue
      reached.add(of).add(from)
      grown = true
    }
  }
  return all.every((source) => reached.has(source))
}
