import { z } from 'zod'

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name

/** The members of a request by the names that the code has for them. */
export type CamelCased<Members> = {
  [Name in keyof Members as Camel<Name & string>]: Members[Name]
}

/** A row for a body: instants are dates, and `null` may be left out. */
type RowOf<Body> = {
  [Name in keyof Body as null extends Body[Name] ? never : Camel<Name & string>]: Shown<Body[Name]>
} & {
  [Name in keyof Body as null extends Body[Name] ? Camel<Name & string> : never]?:
    | Shown<Body[Name]>
    | undefined
}

type Shown<Value> = Value extends string
  ? Value | Date
  : Value extends readonly (infer Item)[]
    ? readonly Shown<Item>[]
    : Value extends object
      ? string extends keyof Value
        ? object
        : RowOf<Value>
      : Value

const toCamel = (name: string) =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export function camelCased<Members extends object>(members: Members): CamelCased<Members> {
  const entries = Object.entries(members).map(([name, value]) => [toCamel(name), value])
  return Object.fromEntries(entries) as CamelCased<Members>
}

/** Makes the bodies of a schema: from the members of a row that it names, and from no others. */
export function bodyOf<Schema extends z.ZodObject>(schema: Schema) {
  return (row: RowOf<z.input<Schema>>) => show(schema, row) as z.input<Schema>
}

function show(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return show(schema.unwrap(), value)
  if (schema instanceof z.ZodNullable) return show(schema.unwrap(), value) ?? null
  if (value instanceof Date) return value.toISOString()
  if (value === undefined || value === null) return undefined
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).map((one) => show(schema.element, one))
  if (!(schema instanceof z.ZodObject)) return value
  const members = Object.entries(schema.shape).map(([name, member]) => {
    return [name, show(member, (value as Record<string, unknown>)[toCamel(name)])] as const
  })
  return Object.fromEntries(members.filter(([, shown]) => shown !== undefined))
}
