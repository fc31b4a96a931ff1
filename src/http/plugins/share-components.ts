import { z } from 'zod'
import { timestamp as eventTimestamp } from '../../domain/events/catalogue/event-fields.ts'
import { EVENT_TYPES } from '../../domain/events/catalogue/event-types.ts'
import { amountSchema, assetText, decimalText, signedUsdText, usdText } from '../schemas/amounts.ts'
import { timestamp } from '../schemas/fields.ts'
import { decisionObject, factsObject } from '../schemas/margin-decision.ts'

type Json = Record<string, unknown>
type Operation = { parameters?: { name: string }[]; responses: Record<string, Response> }
type Response = { description?: string }
type Paths = Record<string, Record<string, Operation>>
type Document = { paths?: Paths; webhooks?: Paths; components?: Record<string, Json> }

/** Parts of larger schemas, by the name that they have in a document. */
export type SharedParts = Readonly<Record<string, z.ZodType>>

const PARTS: SharedParts = {
  Amount: amountSchema,
  Decimal: decimalText,
  EventTimestamp: eventTimestamp,
  EventType: z.enum(EVENT_TYPES),
  MarginDecision: decisionObject,
  MarginFacts: factsObject,
  Position: z.strictObject({ asset: assetText, quantity: decimalText }),
  SignedUsd: signedUsdText,
  Timestamp: timestamp,
  Usd: usdText,
}

/** Members that a schema may have beside a reference. */
const ANNOTATIONS = ['default', 'description', 'examples', 'title']

/** Refers to components for the schemas, parameters and error answers that operations repeat. */
export function shareComponents<Given extends object>(given: Given, parts: SharedParts): Given {
  const document = JSON.parse(JSON.stringify(given, dropBounds)) as Document
  const operations = [document.paths ?? {}, document.webhooks ?? {}].flatMap((paths) =>
    Object.values(paths).flatMap((methods) => Object.values(methods)),
  )
  const { schemas, ...others } = document.components ?? {}
  const components: Record<string, Json> = {
    ...others,
    schemas: { ...schemas, ...describeParts(parts) },
    parameters: nameParameters(operations),
    responses: nameProblems(operations),
  }
  const { share, members } = sharerOf(components)
  const shared = mapValues(components, (parts) => mapValues(parts, members))
  return dropUnused({ ...(share(document) as Document), components: shared }) as Given
}

/** Every integer is within these. */
const dropBounds = (key: string, value: unknown) =>
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
    ? undefined
    : value

function describeParts(parts: SharedParts): Json {
  return mapValues({ ...PARTS, ...parts }, (part) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(part)
    return JSON.parse(JSON.stringify(schema, dropBounds))
  })
}

/** Under its name, the variant of a parameter that most operations have. */
function nameParameters(operations: readonly Operation[]): Json {
  const counts = new Map<string, number>()
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      const text = JSON.stringify(parameter)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  const repeated = [...counts].filter(([, count]) => count > 1)
  const rarestFirst = repeated.sort(([, one], [, other]) => one - other)
  return Object.fromEntries(
    rarestFirst.map(([text]) => {
      const parameter: { name: string } = JSON.parse(text)
      return [parameter.name, parameter]
    }),
  )
}

/** `Problem409-facility_exists` has that code, and those that each 409 of the document has. */
function nameProblems(operations: readonly Operation[]): Json {
  const answers = operations.flatMap(({ responses }) => Object.entries(responses))
  const byStatus = Map.groupBy(
    answers.filter(([status]) => status >= '4'),
    ([status]) => status,
  )
  const named = [...byStatus].flatMap(([status, refusals]) => {
    const codes = refusals.map(([, { description = '' }]) => readCodes(description))
    const always = codes.reduce((common, some) => common.filter((code) => some.includes(code)))
    return refusals.map(([, response], at) => {
      const own = codes[at]?.filter((code) => !always.includes(code)) ?? []
      return [[`Problem${status}`, ...own].join('-'), response] as const
    })
  })
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const readCodes = (description: string) =>
  [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code)

/** Puts a reference where a part equals a component; a schema keeps its annotations beside it. */
function sharerOf(components: Record<string, Json>) {
  const refs = new Map<string, string>()
  for (const kind of ['schemas', 'parameters', 'responses']) {
    for (const [name, part] of Object.entries(components[kind] ?? {})) {
      const key = JSON.stringify(kind === 'schemas' ? splitSchema(part as Json)[0] : part)
      refs.set(key, `#/components/${kind}/${name}`)
    }
  }
  const share = (part: unknown, name = ''): unknown => {
    if (typeof part !== 'object' || part === null || name.startsWith('example')) return part
    if (Array.isArray(part)) return part.map((item) => share(item))
    // Printing what can equal no component would take most of the time.
    const isWhole = 'in' in part || 'content' in part
    if (!isWhole && !('type' in part)) return members(part)
    const [bare, annotations] = isWhole ? [part, {}] : splitSchema(part as Json)
    const ref = refs.get(JSON.stringify(bare))
    return ref === undefined ? members(part) : { $ref: ref, ...annotations }
  }
  const members = (part: unknown) => mapValues(part as Json, share)
  return { share, members }
}

function splitSchema(schema: Json): [bare: Json, annotations: Json] {
  const keep = (isAnnotation: boolean) =>
    Object.fromEntries(
      Object.entries(schema).filter(([name]) => ANNOTATIONS.includes(name) === isAnnotation),
    )
  return [keep(false), keep(true)]
}

/** A component that only unused components refer to is unused too. */
function dropUnused(document: Document): Document {
  const { components = {}, ...rest } = document
  const used = new Set<string>()
  const collect = (part: unknown) => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      collect(components[kind]?.[name])
    }
  }
  collect(rest)
  const keepUsed = (parts: Json, kind: string) =>
    Object.fromEntries(
      Object.entries(parts).filter(
        ([name]) => kind === 'securitySchemes' || used.has(`${kind}/${name}`),
      ),
    )
  return { ...rest, components: mapValues(components, keepUsed) }
}

const REFERENCE = /"#\/components\/(\w+)\/([\w-]+)"/g

function mapValues<Value, Made>(
  values: Record<string, Value>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, make(value, name)]),
  )
}
