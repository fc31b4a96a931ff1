/** What EXPLAIN (ANALYZE, FORMAT JSON) returns of a node, as far as it is read here. */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

export type PlanTerms = {
  /** Rows of each table, and of each partition by its own name. */
  sizes: ReadonlyMap<string, number>
  /** Length of the longest list among the parameters. */
  asked: number
}

export type PlanProblem = { table: string; problem: string }

/** A table of more rows is not read whole, nor to find a few of them. */
const LARGE = 10_000

/** Rows of a large table that a statement may read for each that it returns, changes or was asked for. */
const READ_PER_ROW = 10

/** So many may be read for whatever it is: what grows with the data comes to more here. */
const READ_ANYWAY = 100

/** What is wrong with a plan that was run. */
export function checkPlan(plan: PlanNode, { sizes, asked }: PlanTerms): PlanProblem[] {
  const problems: PlanProblem[] = []
  const rowsRead = new Map<string, number>()
  const nodes = eachNode(plan)
  const wanted = Math.max(1, asked, rowsFound(plan))
  for (const node of nodes) {
    const name = node['Relation Name']
    if (name === undefined || node['Node Type'] === 'ModifyTable') continue
    const table = tableOf(name)
    if (node['Node Type'] === 'Seq Scan' && (sizes.get(name) ?? 0) > LARGE) {
      problems.push({ table, problem: `reads ${name} from beginning to end` })
    }
    rowsRead.set(table, (rowsRead.get(table) ?? 0) + rowsReadBy(node))
  }
  const allowed = Math.max(READ_ANYWAY, wanted * READ_PER_ROW)
  for (const [table, read] of rowsRead) {
    if ((sizes.get(table) ?? 0) <= LARGE || read <= allowed) continue
    problems.push({ table, problem: `reads ${Math.round(read)} rows of ${table} for ${wanted}` })
  }
  return problems
}

export function eachNode(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(eachNode)]
}

/** Rows that a statement returns or changes. */
export function rowsFound(plan: PlanNode): number {
  return Math.max(rowsOf(plan), ...eachNode(plan).map(rowsChanged))
}

/** Rows that a node writes. */
function rowsChanged(node: PlanNode): number {
  if (node['Node Type'] !== 'ModifyTable') return 0
  return Math.max(0, ...(node.Plans ?? []).map(rowsOf))
}

function rowsOf(node: PlanNode): number {
  return (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0)
}

function rowsReadBy(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0)
}

/** `events` of `events_2026_11`. */
function tableOf(relation: string): string {
  return relation.replace(/_\d{4}_\d{2}(_\d{2})?$/, '')
}

/** The plan as text, a line a node. */
export function describePlan(node: PlanNode, indent = ''): string[] {
  const parts = [
    `${indent}${node['Node Type']}`,
    node['Relation Name'] && `on ${node['Relation Name']}`,
    node['Index Name'] && `by ${node['Index Name']}`,
    `rows=${Math.round(rowsOf(node))}`,
    rowsReadBy(node) > rowsOf(node) && `read=${Math.round(rowsReadBy(node))}`,
    node['Index Cond'],
    node.Filter && `filter ${node.Filter}`,
  ]
  const children = (node.Plans ?? []).flatMap((child) => describePlan(child, `${indent}  `))
  return [parts.filter(Boolean).join(' '), ...children]
}
