import { randomBytes } from 'node:crypto'
import type { Statement } from './prepared-query.ts'

const MAX_STATEMENTS = 500

/** Marks a statement whose best plan depends on its parameters, such as the length of a list. */
export const PLANNED_EACH_TIME = '/* planned each time */'

/** Marks the last statement of a transaction, with which COMMIT is sent. It must have parameters. */
export const WITH_COMMIT = '/* with commit */'

/** Marks a statement of which only a failure matters: it is sent with the next one of its transaction,
 * which then fails. It must have parameters and return no rows. */
export const WITH_NEXT = '/* with next */'

/** The same of a statement whose rows are found by `rowsBefore` of the next one's. */
export const ROWS_WITH_NEXT = '/* with next, rows too */'

/** The text of a query that stands for several reads of a transaction, which are its parameters. */
export const TOGETHER = '/* together */'

/** `isLast`, `isJoined` and `isRead`: it is marked so. */
export type Known = Statement & {
  source: string
  isLast: boolean
  isJoined: boolean
  isRead: boolean
}
export type KnownStatements = {
  /** Undefined: it is sent without a name. */
  prepare(text: string): Known | undefined
  /** Where a plan is stale, every name is replaced. */
  forget(statement: Statement): void
}

export function createKnownStatements(): KnownStatements {
  const statements = new Map<string, Known | undefined>()
  let generation = 1
  let comment = ''

  function prepare(text: string): Known | undefined {
    const known = statements.get(text)
    if (known !== undefined || statements.size >= MAX_STATEMENTS || statements.has(text))
      return known
    const statement = text.includes(PLANNED_EACH_TIME) ? undefined : nameNext(text)
    statements.set(text, statement)
    return statement
  }
  const nameNext = (text: string): Known => ({
    name: `s${generation}_${statements.size}`,
    text: `${comment}${text}`,
    source: text,
    isLast: text.includes(WITH_COMMIT),
    isJoined: text.includes(WITH_NEXT) || text.includes(ROWS_WITH_NEXT),
    isRead: text.includes(ROWS_WITH_NEXT),
  })

  function forget({ name }: Statement): void {
    if (!name.startsWith(`s${generation}_`)) return
    statements.clear()
    generation += 1
    comment = `/* ${randomBytes(4).toString('hex')} */ `
  }
  return { prepare, forget }
}
