import type pg from 'pg'

type ParseValue = (text: string) => unknown

/** Of a column, as the server describes it. */
export type Field = { name: string; dataTypeID: number; format: 'text' | 'binary' }
export type Row = Record<string, unknown>

/** What the rows of a statement are made with. */
export type Shape = { fields: readonly Field[]; parsers: readonly ParseValue[]; empty: Row }

/** The rows that one message is answered with, of one statement after another. Each is made in the
 * shape of the last time for as long as the server describes the same: a query of `pg` finds the
 * parser of each column each time. */
export class AnswerRows {
  /** The first value that could not be read. The rows after it are left out. */
  unreadable: Error | undefined
  readonly #client: pg.Client
  #rows: Row[] = []
  #shape: Shape | undefined

  constructor(client: pg.Client) {
    this.#client = client
  }

  /** Those that follow are of `statement`, and go to `rows`. */
  begin(statement: { shape?: Shape }, fields: readonly Field[], rows: Row[]): void {
    if (!statement.shape || !isSame(statement.shape.fields, fields)) {
      statement.shape = toShape(fields, this.#client)
    }
    this.#shape = statement.shape
    this.#rows = rows
  }

  add(values: readonly (string | null)[]): void {
    if (this.unreadable || !this.#shape) return
    try {
      this.#rows.push(toRow(this.#shape, values))
    } catch (error) {
      this.unreadable = error as Error
    }
  }
}

function isSame(known: readonly Field[], fields: readonly Field[]): boolean {
  if (known.length !== fields.length) return false
  for (let at = 0; at < fields.length; at += 1) {
    const one = known[at]
    const other = fields[at]
    if (one?.name !== other?.name || one?.dataTypeID !== other?.dataTypeID) return false
    if (one?.format !== other?.format) return false
  }
  return true
}

function toShape(fields: readonly Field[], client: pg.Client): Shape {
  return {
    fields,
    parsers: fields.map(({ dataTypeID, format }) => client.getTypeParser(dataTypeID, format)),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  }
}

function toRow({ fields, parsers, empty }: Shape, values: readonly (string | null)[]): Row {
  const row: Row = { ...empty }
  for (let at = 0; at < fields.length; at += 1) {
    const name = fields[at]?.name ?? ''
    const value = values[at] ?? null
    row[name] = value === null ? null : parsers[at]?.(value)
  }
  return row
}
