import { loadModule, parseSync } from 'libpg-query'

type Member =
  | 'A_Const'
  | 'A_Expr'
  | 'BoolExpr'
  | 'ColumnRef'
  | 'CommonTableExpr'
  | 'List'
  | 'ResTarget'
  | 'RowExpr'
  | 'SelectStmt'
  | 'String'
  | 'SubLink'
  | 'alias'
  | 'aliasname'
  | 'arg'
  | 'args'
  | 'boolop'
  | 'cols'
  | 'ctename'
  | 'ctequery'
  | 'ctes'
  | 'fields'
  | 'fromClause'
  | 'items'
  | 'jointype'
  | 'kind'
  | 'larg'
  | 'lateral'
  | 'lexpr'
  | 'limitCount'
  | 'limitOffset'
  | 'lockingClause'
  | 'name'
  | 'number'
  | 'quals'
  | 'rarg'
  | 'recursive'
  | 'relation'
  | 'relname'
  | 'rexpr'
  | 'selectStmt'
  | 'stmts'
  | 'subLinkType'
  | 'subquery'
  | 'subselect'
  | 'sval'
  | 'targetList'
  | 'testexpr'
  | 'usingClause'
  | 'val'
  | 'valuesLists'
  | 'whereClause'
  | 'withClause'

/** A node of PostgreSQL's own parse tree, as far as it is read here. */
export type Node = { readonly [M in Member]?: unknown }

await loadModule()

/** The kind of a statement, as `SelectStmt`, and its body. */
export function readStatement(text: string): { kind: string; body: Node } {
  const { stmts } = parseSync(text) as unknown as { stmts: { stmt: Node }[] }
  const [statement] = stmts
  if (statement === undefined || stmts.length !== 1) throw new Error('expected one statement')
  return unwrap(statement.stmt)
}

/** `{ RangeVar: {…} }` as its kind and its body. */
export function unwrap(node: Node): { kind: string; body: Node } {
  const [entry] = Object.entries(node)
  if (entry === undefined) throw new Error('expected a node')
  return { kind: entry[0], body: entry[1] as Node }
}

export const isSelect = (kind: string) => kind === 'SelectStmt'

export function list(node: Node | undefined, member: Member): Node[] {
  return (node?.[member] as Node[] | undefined) ?? []
}

export function text(node: Node | undefined): string {
  return ((node?.String as Node | undefined)?.sval as string | undefined) ?? ''
}

/** The column's own name last, its table's alias before it if it is given. */
export function columnPath(node: Node | undefined): string[] | undefined {
  const column = node?.ColumnRef as Node | undefined
  return column && list(column, 'fields').map(text)
}

/** A condition's parts that must all hold. */
export function conjuncts(condition: Node | undefined): Node[] {
  if (condition === undefined) return []
  const { kind, body } = unwrap(condition)
  if (kind !== 'BoolExpr' || body.boolop !== 'AND_EXPR') return [condition]
  return list(body, 'args').flatMap(conjuncts)
}

/** Pairs that an equality makes equal: one, or as many as its rows have members. */
export function equalPairs(condition: Node): [Node, Node][] {
  const { kind, body } = unwrap(condition)
  if (
    kind !== 'A_Expr' ||
    body.kind !== 'AEXPR_OP' ||
    list(body, 'name').map(text).join() !== '='
  ) {
    return []
  }
  const [left, right] = [body.lexpr as Node, body.rexpr as Node]
  const [lefts, rights] = [rowMembers(left), rowMembers(right)]
  return lefts.flatMap((member, at): [Node, Node][] => {
    const other = rights[at]
    return other === undefined ? [] : [[member, other]]
  })
}

export function rowMembers(node: Node): Node[] {
  return node.RowExpr === undefined ? [node] : list(node.RowExpr as Node, 'args')
}

/** Each subquery within an expression, but not those within it. */
export function subqueries(part: unknown): Node[] {
  if (Array.isArray(part)) return part.flatMap(subqueries)
  if (typeof part !== 'object' || part === null) return []
  const found = (part as Node).SubLink as Node | undefined
  if (found !== undefined) return [found, ...subqueries(found.testexpr)]
  return Object.values(part).flatMap(subqueries)
}

/** Names before a dot, of all columns within. */
export function aliasesNamed(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(aliasesNamed)
  if (typeof part !== 'object' || part === null) return []
  const path = columnPath(part)
  if (path !== undefined) return path.length > 1 ? path.slice(0, 1) : []
  return Object.values(part).flatMap(aliasesNamed)
}
