import type { FastifyInstance } from 'fastify'
import type { Deprecation } from '../deprecations.ts'

type Schema = {
  deprecated?: boolean
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema
  enum?: readonly unknown[]
  const?: unknown
  /** A parameter's. */
  schema?: Schema
} & { [Form in (typeof FORMS)[number]]?: Schema[] }
type Parameter = Schema & { $ref?: string; in?: string; name?: string }
type Content = { content?: Record<string, { schema?: Schema }> }
type Operation = {
  operationId?: string
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: Content
  responses?: Record<string, Content>
}
type Paths = Record<string, Record<string, Operation>>
type Document = {
  paths?: Paths
  webhooks?: Record<string, { post: Operation }>
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

export type Announced = { deprecations: readonly Deprecation[]; publicUrl: string }

const FORMS = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * Marks what is deprecated, and lists it as `x-deprecations`: OpenAPI has no mark for a value or a code. Throws if
 * the document has no such part.
 */
export function markDeprecated<Given extends object>(given: Given, announced: Announced): Given {
  if (announced.deprecations.length === 0) return given
  const document = structuredClone(given)
  for (const { part } of announced.deprecations) {
    if (!mark(document, part)) throw new Error(`The document has no ${part}, which is deprecated.`)
  }
  const rows = announced.deprecations.map((row) => ({ ...row, page: pageOf(row, announced) }))
  return { ...document, 'x-deprecations': rows }
}

function mark(document: Document, part: string): boolean {
  const [target = '', value] = part.split('=')
  const { webhooks = {}, components = {} } = document
  const events = Object.entries(webhooks).map(([type, { post }]) => [type, post] as const)
  const named = [
    ...operationsOf(document).map((of) => [of.operationId ?? '', of] as const),
    ...events,
  ]
  const isHead = ([name]: readonly [string, unknown]) =>
    target === name || target.startsWith(`${name}.`)
  const [head, operation] = named.find(isHead) ?? []
  if (operation && head === target) {
    operation.deprecated = true
    return true
  }
  const [name = '', root] = operation
    ? [head, head && head in webhooks ? bodyOf(operation) : partsOf(operation, components)]
    : (Object.entries(components.schemas ?? {}).find(isHead) ?? [])
  const steps = target.slice(name.length).replaceAll('[]', '.[]').split('.').filter(Boolean)
  const found = root ? descend(root, steps) : []
  if (value !== undefined) return found.some((schema) => lists(schema, value))
  for (const schema of found) schema.deprecated = true
  return found.length > 0
}

/** What an operation has, as one schema. */
function partsOf(operation: Operation, components: Document['components'] = {}): Schema {
  // Parameters of its own: other operations refer to the same component, and keep it.
  const parameters = (operation.parameters ?? []).map((given) => {
    const name = given.$ref?.split('/').at(-1) ?? ''
    return { ...(components.parameters?.[name] ?? given) }
  })
  if (parameters.length > 0) operation.parameters = parameters
  const byPlace = Object.groupBy(parameters, (parameter) => parameter.in ?? '')
  const places = Object.entries(byPlace).map(([place, members = []]) => [
    place,
    { properties: Object.fromEntries(members.map((member) => [member.name ?? '', member])) },
  ])
  const answers = Object.entries(operation.responses ?? {}).filter(([status]) => status < '4')
  return {
    properties: {
      ...Object.fromEntries(places),
      request: bodyOf(operation),
      answer: { anyOf: answers.flatMap(([, answer]) => schemasOf(answer)) },
    },
  }
}

const bodyOf = ({ requestBody = {} }: Operation): Schema => ({ anyOf: schemasOf(requestBody) })

const schemasOf = ({ content = {} }: Content) =>
  Object.values(content).flatMap(({ schema }) => schema ?? [])

function descend(schema: Schema, steps: readonly string[]): Schema[] {
  const [step, ...rest] = steps
  if (step === undefined) return [schema]
  const forms = FORMS.flatMap((form) => schema[form] ?? [])
  const others = { '[]': schema.items, '*': schema.additionalProperties }
  const next = { ...others, ...schema.properties }[step]
  return [...forms.flatMap((form) => descend(form, steps)), ...(next ? descend(next, rest) : [])]
}

const lists = (schema: Schema, value: string): boolean =>
  schema.const === value ||
  schema.enum?.includes(value) === true ||
  (schema.schema !== undefined && lists(schema.schema, value)) ||
  FORMS.some((form) => schema[form]?.some((inner) => lists(inner, value)))

const operationsOf = ({ paths = {} }: { paths?: Paths }) =>
  Object.values(paths).flatMap((methods) => Object.values(methods))

/**
 * Answers of an operation carry `Deprecation`, `Sunset` and a `Link` for what is deprecated of it and of what it
 * answers with; refusals also for their code.
 */
export function announceDeprecations(
  app: FastifyInstance,
  announced: Announced,
  readDocument: () => object,
): void {
  if (announced.deprecations.length === 0) return
  let known: ReadonlyMap<string, readonly Deprecation[]> = new Map()
  // Not before: the document needs every route.
  app.addHook('onReady', async () => {
    known = findConcerned(readDocument(), announced.deprecations)
  })
  app.addHook('onSend', async ({ routeOptions, refusalCode }, reply) => {
    const id = routeOptions.schema?.operationId ?? ''
    const ofCode = announced.deprecations.filter(({ part }) => part === `${CODE}${refusalCode}`)
    const rows = [...(known.get(id) ?? []), ...ofCode]
    if (rows.length > 0) reply.headers(describe(rows, announced))
  })
}

const CODE = 'Problem.code='

/** By operation. A type of event concerns those whose schemas list the types. */
function findConcerned(document: Document, deprecations: readonly Deprecation[]) {
  const schemas = document.components?.schemas ?? {}
  return new Map(
    operationsOf(document).map((operation) => {
      const id = operation.operationId ?? ''
      const { responses = {}, ...asked } = operation
      const answers = Object.entries(responses).filter(([status]) => status < '4')
      const names = [id, ...referredBy([asked, answers], schemas)]
      const isConcerned = ({ part }: Deprecation) => {
        const [head = ''] = part.split(/[.=[]/)
        const isEvent =
          document.webhooks && Object.keys(document.webhooks).some((type) => part.startsWith(type))
        return names.includes(isEvent ? 'EventType' : head)
      }
      return [id, deprecations.filter(isConcerned)]
    }),
  )
}

/** The names of the components that a part refers to, and that these refer to. */
function referredBy(part: unknown, schemas: Record<string, Schema>, seen = new Set<string>()) {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (seen.has(name)) continue
    seen.add(name)
    referredBy(schemas[name], schemas, seen)
  }
  return seen
}

/** The earliest dates. `Deprecation` is a date of structured fields (RFC 9745), `Sunset` one of HTTP (RFC 8594). */
function describe(rows: readonly Deprecation[], announced: Announced): Record<string, string> {
  const earliest = (dates: readonly string[]) => new Date(dates.toSorted()[0] ?? '')
  const links = rows.map(
    (row) => `<${pageOf(row, announced)}>; rel="deprecation sunset"; type="text/html"`,
  )
  return {
    deprecation: `@${earliest(rows.map(({ since }) => since)).getTime() / 1000}`,
    sunset: earliest(rows.map(({ sunset }) => sunset)).toUTCString(),
    link: [...new Set(links)].join(', '),
  }
}

const pageOf = ({ page }: Deprecation, { publicUrl }: Announced) =>
  `${publicUrl}/docs/guides/${page}`
