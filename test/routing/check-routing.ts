import {
  createLevel,
  equate,
  isColocated,
  type Level,
  type Source,
  tenantNamed,
  tenantsOf,
} from './level.ts'
import {
  aliasesNamed,
  conjuncts,
  equalPairs,
  isSelect,
  list,
  type Node,
  readStatement,
  rowMembers,
  subqueries,
  text,
  unwrap,
} from './read-statement.ts'

export type Statement = { text: string; parameters: readonly unknown[] }

/** Whether a table has a tenant; undefined for what is no table of ours. */
export type HasTenant = (table: string) => boolean | undefined

type Reading = {
  values: readonly unknown[]
  hasTenant: HasTenant
  /** Of all parts together. */
  tenants: Set<string>
  tables: Set<string>
  unnamed: Set<string>
  /** What only the server of one tenant can do. */
  singular: Set<string>
}

/**
 * Why a database that is sharded by tenant could not send a statement to one server, and why it could
 * not run it on all of them. Both empty: it names one tenant in every part, or reads no tenant's table.
 */
export type Routing = { toOne: string[]; toAll: string[]; tenants: ReadonlySet<string> }

export function checkRouting(statement: Statement, hasTenant: HasTenant): Routing {
  const reading: Reading = {
    ...{ values: statement.parameters, hasTenant, tenants: new Set(), tables: new Set() },
    ...{ unnamed: new Set(), singular: new Set() },
  }
  const { kind, body } = readStatement(statement.text)
  if (!READ_HERE.has(kind)) return { toOne: [], toAll: [], tenants: new Set() }
  readQuery(reading, kind, body, { outer: undefined, names: new Set() })
  const mixed = mixes(reading)
  const toOne = [...reading.unnamed].map((name) => `does not name the tenant of ${name}`)
  if (reading.tenants.size > 1) toOne.push('names more than one tenant')
  const toAll = toOne.length > 0 ? [...mixed, ...reading.singular] : mixed
  return { toOne: [...mixed, ...toOne], toAll, tenants: reading.tenants }
}

const READ_HERE = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])

function mixes({ tables, hasTenant }: Reading): string[] {
  const others = [...tables].filter((table) => !hasTenant(table))
  if (others.length === 0 || others.length === tables.size) return []
  return [`reads ${others.join(', ')}, of no tenant, beside tables of tenants`]
}

type Around = {
  outer: Level | undefined
  names: ReadonlySet<string>
  /** Planned with the query around it, whose restrictions then hold here too. */
  isMerged?: boolean
}

function readQuery(reading: Reading, kind: string, body: Node, around: Around): Level {
  const names = readNamedQueries(reading, body, around)
  const within = { ...around, names }
  if (isSelect(kind)) return readSelect(reading, body, within)
  reading.singular.add('writes rows')
  const level = createLevel(around.outer)
  const target = addTable(reading, level, body.relation as Node, names)
  if (kind === 'InsertStmt') readInserted(reading, level, target, body, within)
  readFrom(reading, level, [...list(body, 'fromClause'), ...list(body, 'usingClause')], within)
  readRest(reading, level, body, within)
  return level
}

/** The names of a WITH list, which are then no tables. */
function readNamedQueries(reading: Reading, body: Node, around: Around): ReadonlySet<string> {
  const list_ = body.withClause as Node | undefined
  const names = new Set(around.names)
  if (list_?.recursive) reading.singular.add('is recursive')
  const queries = list(list_, 'ctes').map((query) => query.CommonTableExpr as Node)
  for (const query of queries) {
    const name = String(query.ctename)
    if (list_?.recursive) names.add(name)
    const { kind, body: own } = unwrap(query.ctequery as Node)
    readQuery(reading, kind, own, { outer: undefined, names: new Set(names) })
    names.add(name)
  }
  return names
}

function readSelect(reading: Reading, select: Node, around: Around): Level {
  const level = createLevel(around.outer)
  for (const part of [select.larg, select.rarg]) {
    if (part) readQuery(reading, 'SelectStmt', part as Node, { ...around, isMerged: false })
  }
  if (select.lockingClause) reading.singular.add('locks rows')
  readFrom(reading, level, list(select, 'fromClause'), around)
  readRest(reading, level, select, around)
  return level
}

/** Conditions, subqueries, and what they leave without a tenant. */
function readRest(reading: Reading, level: Level, body: Node, around: Around): void {
  const conditions = conjuncts(body.whereClause as Node | undefined)
  for (const condition of conditions) {
    for (const pair of equalPairs(condition)) equateTenants(reading, level, pair)
  }
  const merged = new Set(conditions.flatMap(mergeable))
  const ownParts = Object.entries(body).filter(([member]) => !READ_ALREADY.has(member))
  for (const link of subqueries(ownParts.map(([, part]) => part))) {
    readSublink(reading, level, link, { ...around, isMerged: merged.has(link) })
  }
  finish(reading, level, around)
}

const READ_ALREADY = new Set([
  'withClause',
  'larg',
  'rarg',
  'fromClause',
  'usingClause',
  'selectStmt',
])

function equateTenants(
  { values }: Reading,
  level: Level,
  pair: readonly Node[],
  only?: ReadonlySet<Source>,
): void {
  equate(
    level,
    pair.map((node) => tenantNamed(level, node, values)),
    only,
  )
}

/** EXISTS and IN that must hold, or must not, become joins of the query around them. */
function mergeable(condition: Node): Node[] {
  const { kind, body } = unwrap(condition)
  if (kind === 'BoolExpr' && body.boolop === 'NOT_EXPR')
    return list(body, 'args').flatMap(mergeable)
  if (kind !== 'SubLink') return []
  const select = (body.subselect as Node).SelectStmt as Node
  const isPlain = !select.limitCount && !select.limitOffset && !select.withClause && !select.larg
  const isJoin = body.subLinkType === 'EXISTS_SUBLINK' || body.subLinkType === 'ANY_SUBLINK'
  return isPlain && isJoin ? [body] : []
}

function readSublink(reading: Reading, level: Level, link: Node, around: Around): void {
  const { kind, body } = unwrap(link.subselect as Node)
  readCorrelated(reading, level, body)
  const inner = { ...around, outer: level }
  if (!link.testexpr) {
    readQuery(reading, kind, body, inner)
    return
  }
  // `(tenant_id, id) IN (SELECT …)`: as if the pairs were equal within it.
  const members = rowMembers(link.testexpr as Node)
  const targets = list(body, 'targetList').map((target) => (target.ResTarget as Node).val as Node)
  const pairs = members.flatMap((member, at): Node[] => {
    const target = targets[at]
    return target
      ? [{ A_Expr: { kind: 'AEXPR_OP', name: EQUALS, lexpr: member, rexpr: target } }]
      : []
  })
  const where = [...pairs, ...conjuncts(body.whereClause as Node | undefined)]
  const whereClause = { BoolExpr: { boolop: 'AND_EXPR', args: where } }
  readQuery(reading, kind, around.isMerged ? { ...body, whereClause } : body, inner)
}

const EQUALS = [{ String: { sval: '=' } }]

function readFrom(reading: Reading, level: Level, items: Node[], around: Around): void {
  for (const item of items) readItem(reading, level, item, around)
}

/** Adds the sources of an item of a FROM list; returns them. */
function readItem(reading: Reading, level: Level, item: Node, around: Around): Source[] {
  const { kind, body } = unwrap(item)
  if (kind === 'RangeVar') return [addTable(reading, level, body, around.names)]
  if (kind === 'JoinExpr') return readJoin(reading, level, body, around)
  if (kind === 'RangeSubselect') {
    const query = unwrap(body.subquery as Node)
    const isLateral = Boolean(body.lateral)
    if (isLateral) readCorrelated(reading, level, query.body)
    readQuery(reading, query.kind, query.body, {
      ...{ names: around.names, outer: isLateral ? level : around.outer, isMerged: false },
    })
  }
  return [addSource(level, aliasOf(body) ?? kind, 'derived')]
}

function readJoin(reading: Reading, level: Level, join: Node, around: Around): Source[] {
  const left = readItem(reading, level, join.larg as Node, around)
  const right = readItem(reading, level, join.rarg as Node, around)
  const only = RESTRICTED[String(join.jointype)]?.(left, right)
  for (const condition of conjuncts(join.quals as Node | undefined)) {
    for (const pair of equalPairs(condition)) equateTenants(reading, level, pair, only)
  }
  const isByTenant = list(join, 'usingClause').some((column) => text(column) === 'tenant_id')
  if (isByTenant) {
    for (const one of left) for (const other of right) equate(level, [one, other], only)
  }
  const links = subqueries(join.quals)
  for (const link of links) readSublink(reading, level, link, { ...around, isMerged: false })
  return [...left, ...right]
}

/** The condition of an outer join restricts the side that may be missing. */
const RESTRICTED: Record<string, (left: Source[], right: Source[]) => ReadonlySet<Source>> = {
  JOIN_LEFT: (_left, right) => new Set(right),
  JOIN_RIGHT: (left) => new Set(left),
  JOIN_FULL: () => new Set(),
}

function addTable(
  { hasTenant, tables }: Reading,
  level: Level,
  table: Node,
  names: ReadonlySet<string>,
): Source {
  const name = String(table.relname)
  const known = names.has(name) ? undefined : hasTenant(name)
  if (known !== undefined) tables.add(name)
  const kind = known === undefined ? 'derived' : known ? 'of tenants' : 'of no tenant'
  return addSource(level, aliasOf(table) ?? name, kind)
}

function addSource(level: Level, name: string, kind: Source['kind']): Source {
  const source = { name, kind }
  level.sources.set(name, source)
  return source
}

function aliasOf(body: Node): string | undefined {
  return (body.alias as Node | undefined)?.aliasname as string | undefined
}

/** The row that is inserted has the tenant that its list gives. */
function readInserted(
  reading: Reading,
  level: Level,
  target: Source,
  insert: Node,
  around: Around,
): void {
  const columns = list(insert, 'cols').map((column) => (column.ResTarget as Node).name)
  const at = columns.indexOf('tenant_id')
  const select = (insert.selectStmt as Node | undefined)?.SelectStmt as Node | undefined
  if (!select) return
  const from = readQuery(reading, 'SelectStmt', select, { ...around, outer: undefined })
  const targets = list(select, 'targetList').map((one) => (one.ResTarget as Node).val as Node)
  const values = list(select, 'valuesLists').map((row) => list(row.List as Node, 'items'))
  if (subqueries(values).length > 0)
    reading.unnamed.add(`${target.name}, given by a subquery in VALUES`)
  const rows = values.length > 0 ? values : [targets]
  for (const row of rows) {
    const given = row[at] && tenantNamed(from, row[at], reading.values)
    const tenants =
      typeof given === 'object' ? tenantsOf(from, given) : new Set(given ? [given] : [])
    for (const tenant of tenants) equate(level, [target, tenant])
    if (target.kind === 'of tenants' && tenants.size === 0) reading.unnamed.add(target.name)
  }
}

/** What the level's tables are restricted to, by itself or by what it is planned with. */
function finish(reading: Reading, level: Level, around: Around): void {
  if (around.isMerged && level.outer) level.follows.push(...level.outer.follows)
  const linked = [...level.sources.values()].filter(({ kind }) => kind === 'of tenants')
  for (const source of linked) {
    const tenants = tenantsOf(level, source)
    for (const tenant of tenants) reading.tenants.add(tenant)
    if (tenants.size === 0) reading.unnamed.add(source.name)
  }
  if (!isColocated(level)) reading.singular.add('joins rows of different tenants')
}

/** A subquery for each row of the query around it: on all servers, only beside rows of its tenant. */
function readCorrelated(reading: Reading, level: Level, body: Node): void {
  const around = new Set(aliasesNamed(body))
  const named = [...level.sources.values()].filter(({ name }) => around.has(name))
  const isLimited = body.limitCount !== undefined || body.limitOffset !== undefined
  const isOfList = named.some(({ kind }) => kind === 'derived')
  if (isOfList && isLimited) reading.singular.add('limits what it reads for each row of a list')
}
