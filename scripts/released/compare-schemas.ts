/** A JSON schema, as far as a release promises it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  default?: unknown
  pattern?: string
  examples?: unknown[]
} & { [Bound in (typeof UPPER)[number] | (typeof LOWER)[number]]?: number }

/** `part` is written as in the table of deprecations. */
export type Break = { part: string; fault: string }
export type Components = Record<string, Record<string, object>>
/** A request must take what it took, an answer must hold what it held. */
export type Way = 'request' | 'answer'

const UPPER = ['maximum', 'maxLength', 'maxItems'] as const
const LOWER = ['minimum', 'minLength', 'minItems'] as const

export const gone = (part: string): Break => ({ part, fault: 'is gone' })

/** The component that a part refers to, and the part itself if it refers to none. */
export function follow<Part extends { $ref?: string }>(part: Part, components: Components): Part {
  if (part.$ref === undefined) return part
  const [kind = '', name = ''] = part.$ref.split('/').slice(2)
  const { $ref: _, ...beside } = part
  return { ...components[kind]?.[name], ...beside } as Part
}

/** Breaks inside of a component are named after it, whichever operations have it. */
export function schemaComparer(released: Components, current: Components) {
  /** One that is being compared has no breaks yet: a schema may contain itself. */
  const compared = new Map<string, Break[]>()

  function compare(at: string, was: Schema, is: Schema, way: Way): Break[] {
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec(was.$ref ?? '') ?? []
    if (name === undefined) return compareForms(at, was, is, way)
    const key = `${name} ${is.$ref ?? at} ${way}`
    if (!compared.has(key)) {
      compared.set(key, [])
      compared.set(key, compareForms(name, was, is, way))
    }
    return compared.get(key) ?? []
  }

  /** An answer may have lost that it is null, and has no form that was unknown. */
  function compareForms(at: string, was: Schema, is: Schema, way: Way): Break[] {
    const [before, after] = [formsOf(was, released), formsOf(is, current)]
    const kept = before
      .filter(({ type }) => way === 'request' || type !== 'null')
      .flatMap((form) => fewest(after.map((other) => compareOne(at, form, other, way))))
    if (way === 'request') return kept
    const known = after.flatMap((form) =>
      fewest(before.map((other) => compareOne(at, other, form, way))),
    )
    return [...kept, ...known]
  }

  function compareOne(at: string, was: Schema, is: Schema, way: Way): Break[] {
    const [from, into] = way === 'request' ? [was, is] : [is, was]
    if (!typesOf(from).every((type) => accepts(into, type))) {
      return [{ part: at, fault: `is ${typesOf(is)} now, it was ${typesOf(was)}` }]
    }
    const others = typeof was.additionalProperties === 'object' ? was.additionalProperties : {}
    const now = typeof is.additionalProperties === 'object' ? is.additionalProperties : {}
    return [
      ...compareValues(at, was, is, way),
      ...(way === 'request' ? compareBounds(at, was, is) : []),
      ...compareMembers(at, was, is, way),
      ...compareRequired(at, was, is, way),
      ...(was.items ? compare(`${at}[]`, was.items, is.items ?? {}, way) : []),
      ...(others.type ? compare(`${at}.*`, others, now, way) : []),
    ]
  }

  function compareMembers(at: string, was: Schema, is: Schema, way: Way): Break[] {
    return Object.entries(was.properties ?? {}).flatMap(([name, member]) => {
      const now = is.properties?.[name]
      return now ? compare(`${at}.${name}`, member, now, way) : [gone(`${at}.${name}`)]
    })
  }

  return compare
}

function compareRequired(at: string, was: Schema, is: Schema, way: Way): Break[] {
  const lacks = (schema: Schema) => (name: string) => !schema.required?.includes(name)
  if (way === 'request') {
    const added = (is.required ?? []).filter(lacks(was))
    return added.map((name) => ({ part: `${at}.${name}`, fault: 'is required now' }))
  }
  const lost = (was.required ?? []).filter((name) => lacks(is)(name) && is.properties?.[name])
  return lost.map((name) => ({ part: `${at}.${name}`, fault: 'may be left out now' }))
}

/** New values may come; a request that was free takes more than any list. */
function compareValues(at: string, was: Schema, is: Schema, way: Way): Break[] {
  const [before, after] = [valuesOf(was), valuesOf(is)]
  if (after === undefined) return []
  if (before === undefined) {
    return way === 'request' ? [{ part: at, fault: `takes only ${after.join(', ')} now` }] : []
  }
  return before.filter((value) => !after.includes(value)).map((value) => gone(`${at}=${value}`))
}

/** A pattern such as `^(USD|USDC)$` lists values too. */
function valuesOf(schema: Schema): unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  return schema.enum ?? /^\^\((\w+(?:\|\w+)*)\)\$$/.exec(schema.pattern ?? '')?.[1]?.split('|')
}

/** Whether another pattern takes less cannot be known: it must take the released examples. */
function compareBounds(part: string, was: Schema, is: Schema): Break[] {
  const { pattern } = is
  const bounds = [
    ...UPPER.filter((bound) => (is[bound] ?? Infinity) < (was[bound] ?? Infinity)),
    ...LOWER.filter((bound) => (is[bound] ?? -Infinity) > (was[bound] ?? -Infinity)),
  ].map((bound) => `has ${bound} ${is[bound]} now`)
  const isBound = pattern && was.pattern === undefined && valuesOf(was) === undefined
  const refused = (was.examples ?? []).filter(
    (example) => pattern && !new RegExp(pattern, 'u').test(String(example)),
  )
  const faults = [
    ...bounds,
    ...(isBound ? ['has a pattern now'] : []),
    ...refused.map((example) => `takes ${JSON.stringify(example)} no longer`),
    ...(was.default !== is.default && was.default !== undefined ? ['has another default'] : []),
  ]
  return faults.map((fault) => ({ part, fault }))
}

function fewest(candidates: readonly Break[][]): Break[] {
  return candidates.reduce((best, next) => (next.length < best.length ? next : best))
}

function formsOf(schema: Schema, components: Components): Schema[] {
  const whole = merge(schema, components)
  return (whole.anyOf ?? whole.oneOf ?? [whole]).map((form) => merge(form, components))
}

/** Without references, and `allOf` as one schema. */
function merge(schema: Schema, components: Components): Schema {
  const { allOf = [], ...own } = follow(schema, components)
  if (allOf.length === 0) return own
  const parts = [own, ...allOf.map((part) => merge(part, components))]
  const properties = Object.fromEntries(
    parts.flatMap((part) => Object.entries(part.properties ?? {})),
  )
  return { type: 'object', properties, required: parts.flatMap(({ required = [] }) => required) }
}

const typesOf = ({ type = 'anything' }: Schema): string[] => [type].flat()

function accepts(schema: Schema, type: string): boolean {
  const types = typesOf(schema)
  const isWider = types.includes('anything') || (type === 'integer' && types.includes('number'))
  return isWider || types.includes(type)
}
