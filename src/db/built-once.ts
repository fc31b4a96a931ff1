import { type Compilable, CompiledQuery, type RawBuilder } from 'kysely'
import { type Db, findConnections } from './database.ts'
import { findClient } from './own-transaction.ts'
import { listen, noteAnswer } from './prepared-query.ts'
import { readTogether, readWithin } from './read-together.ts'

type Query<Row> = Compilable<Row> | RawBuilder<Row>

type Built<Name> = { text: string; names: readonly Name[] }

/**
 * A query whose text is always the same is built at its first use, with placeholders in place of the
 * values: the text cannot depend on them, and each may stand in it more than once.
 */
export function builtOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => Query<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const fill = createFiller(build)
  return (db, values) => {
    const { text, parameters } = fill(db, values)
    return send(db, text, parameters)
  }
}

type Heard<Values, Row> = (
  db: Db,
  values: Values,
  hear: (rows: readonly Row[]) => void,
) => Promise<void>

/** As `builtOnce`, for a statement marked ROWS_WITH_NEXT that returns a row or more: `hear` has them before
 * the transaction ends; `isAwaited`: before the server does what comes next. */
export function heardOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => Query<Row>,
  { isAwaited }: { isAwaited: boolean },
): Heard<Values, Row> {
  const fill = createFiller(build)
  return async (db, values, hear) => {
    const { text, parameters } = fill(db, values)
    listen(parameters, hear, isAwaited)
    const rows = await send<Row>(db, text, parameters)
    if (rows.length > 0) noteAnswer(parameters, rows as never)
  }
}

/** As `builtOnce`, for a SELECT by key without a lock: those of one tenant, or of one transaction, that
 * come at once share a connection and a message. */
export function readOnce<Values extends { tenantId: string }, Row>(
  build: (db: Db, values: Values) => Query<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const fill = createFiller(build)
  return (db, values) => {
    const { text, parameters } = fill(db, values)
    const connections = findConnections(db)
    return connections
      ? (readTogether(connections, values.tenantId, { text, values: parameters }) as Promise<Row[]>)
      : (readWithin(db, { text, values: parameters }) as Promise<Row[]>)
  }
}

function createFiller<Values extends object, Row>(build: (db: Db, values: Values) => Query<Row>) {
  let built: Built<keyof Values> | undefined
  return (db: Db, values: Values) => {
    built ??= buildFor(db, Object.keys(values), build)
    const { text, names } = built
    return { text, parameters: names.map((name) => values[name]) }
  }
}

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

/** Not through Kysely, whose executor and driver take a dozen promises for it. */
async function send<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const connections = findConnections(db)
  if (!connections) {
    const client = findClient(db)
    const { rows } = client
      ? await client.query<Row>(text, values)
      : await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
    return rows
  }
  const client = await connections.connect()
  try {
    const { rows } = await client.query<Row>(text, values)
    return rows
  } finally {
    client.release()
  }
}
