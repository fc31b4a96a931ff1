import { CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { Query } from './execute.ts'

type Db = Kysely<Tables>

export type Prebuilt<Row> = Query<Row> & { readonly isBuiltOnce: true }

type Built<Name> = { text: string; names: readonly Name[] }

/**
 * A statement whose text is always the same is built at its first use, with placeholders in place of the
 * values: the text cannot depend on them, and each may stand in it more than once.
 */
export function builtOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => Query<Row>,
): (values: Values) => Prebuilt<Row> {
  let built: Built<keyof Values> | undefined
  return (values) => ({
    isBuiltOnce: true,
    compile(db) {
      built ??= buildFor(db, Object.keys(values), build)
      const { text, names } = built
      return CompiledQuery.raw(
        text,
        names.map((name) => values[name]),
      ) as CompiledQuery<Row>
    },
  })
}

export type RowOf<Built> = Built extends (values: never) => Query<infer Row> ? Row : never

function buildFor<Values extends object, Row>(
  db: Db,
  names: readonly string[],
  build: (db: Db, values: Values) => Query<Row>,
): Built<keyof Values> {
  const nameOf = new Map<unknown, keyof Values>()
  const placeholders = names.map((name) => {
    const placeholder = Object.freeze({})
    nameOf.set(placeholder, name as keyof Values)
    return [name, placeholder]
  })
  const { sql: text, parameters } = build(db, Object.fromEntries(placeholders)).compile(db)
  const inOrder = parameters.flatMap((parameter) => nameOf.get(parameter) ?? [])
  if (inOrder.length < parameters.length) {
    throw new Error(`a parameter is made of a value: ${text}`)
  }
  return { text, names: inOrder }
}
