import {
  type Break,
  type Components,
  follow,
  gone,
  type Schema,
  schemaComparer,
  type Way,
} from './compare-schemas.ts'

type Content = Record<string, { schema?: Schema }>
type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Schema }
type Body = { required?: boolean; content: Content }
type Answer = { $ref?: string; description?: string; content?: Content }
export type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Answer>
}
type Row = { part: string; since: string; sunset: string }
export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: Components
  'x-deprecations'?: Row[]
}

/**
 * Returns what a client of `released` would miss in `current`, a sentence each: an operation, parameter, member,
 * value, code or type of event that is gone, and a request or an answer that is narrower. What is added is no break,
 * nor is a part whose sunset the released document lists and `today` (such as `2026-11-28`) has reached.
 */
export function findBreaks(released: Document, current: Document, today: string): string[] {
  const over = (released['x-deprecations'] ?? []).filter(({ sunset }) => sunset <= today)
  const isOver = ({ part }: Break) => over.some((row) => covers(row.part, part))
  const sentences = compareOperations(released, current).filter((found) => !isOver(found))
  return [
    ...new Set(sentences.map(({ part, fault }) => `${part} ${fault}`)),
    ...findHurried(released, current),
  ]
}

function findHurried(released: Document, current: Document): string[] {
  const { 'x-deprecations': known = [] } = released
  return (current['x-deprecations'] ?? []).flatMap(({ part, since, sunset }) => {
    const first = known.find((row) => row.part === part)?.since ?? since
    const earliest = `${Number(first.slice(0, 4)) + 1}${first.slice(4)}`
    return sunset < earliest ? [`${part} cannot go before ${earliest}: since ${first}`] : []
  })
}

/** A type of event is a value too, wherever types are listed. */
const covers = (deprecated: string, part: string) =>
  deprecated === part ||
  part.endsWith(`=${deprecated}`) ||
  (part.startsWith(deprecated) && /[.=[]/.test(part.charAt(deprecated.length)))

function compareOperations(released: Document, current: Document): Break[] {
  const compare = schemaComparer(released.components, current.components)

  function compareOperation(part: string, was: Operation, is: Operation | undefined): Break[] {
    if (is?.operationId !== was.operationId) return [gone(part)]
    const at = `${part}.request`
    const isNew = is.requestBody?.required && !was.requestBody?.required
    return [
      ...compareParameters(part, was, is),
      ...(isNew ? [{ part: at, fault: 'is required now' }] : []),
      ...compareContent(at, was.requestBody, is.requestBody, 'request'),
      ...Object.entries(was.responses).flatMap(([status, answer]) =>
        compareAnswer(`${part}.answer`, [status, answer], is.responses[status]),
      ),
    ]
  }

  /** A delivery is to its receiver what an answer is to a client. */
  function compareEvent(type: string, was: Operation, is: Operation | undefined): Break[] {
    if (is === undefined) return [gone(type)]
    const sent = new Set(parametersOf(is, current).keys())
    const headers = [...parametersOf(was, released).keys()].filter((name) => !sent.has(name))
    return [
      ...headers.map((name) => gone(`${type}.${name}`)),
      ...compareContent(type, was.requestBody, is.requestBody, 'answer'),
    ]
  }

  function compareParameters(part: string, was: Operation, is: Operation): Break[] {
    const [before, after] = [parametersOf(was, released), parametersOf(is, current)]
    const required = [...after].filter(([key, now]) => now.required && !before.get(key)?.required)
    return [
      ...required.map(([key]) => ({ part: `${part}.${key}`, fault: 'is required now' })),
      ...[...before].flatMap(([key, { schema = {} }]) => {
        const now = after.get(key)
        const at = `${part}.${key}`
        return now ? compare(at, schema, now.schema ?? {}, 'request') : [gone(at)]
      }),
    ]
  }

  /** A refusal that an operation no longer has is no loss. */
  function compareAnswer(part: string, [status, was]: [string, Answer], is?: Answer): Break[] {
    if (is === undefined && status >= '4') return []
    const [before, now] = [follow(was, released.components), follow(is ?? {}, current.components)]
    const missing = is === undefined ? [{ part, fault: `is never ${status} now` }] : []
    return [...missing, ...compareContent(part, before, now, 'answer')]
  }

  function compareContent(
    part: string,
    was: { content?: Content } | undefined,
    is: { content?: Content } | undefined,
    way: Way,
  ): Break[] {
    return Object.entries(was?.content ?? {}).flatMap(([type, { schema = {} }]) => {
      const now = is?.content?.[type]
      if (now === undefined) return [{ part, fault: `is never ${type} now` }]
      return compare(part, schema, now.schema ?? {}, way)
    })
  }

  return [
    ...Object.entries(released.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, was]) =>
        compareOperation(was.operationId, was, current.paths[path]?.[method]),
      ),
    ),
    ...Object.entries(released.webhooks).flatMap(([type, { post }]) =>
      compareEvent(type, post, current.webhooks[type]?.post),
    ),
  ]
}

function parametersOf(operation: Operation, { components }: Document): Map<string, Parameter> {
  const parameters = (operation.parameters ?? []).map((given) => follow(given, components))
  return new Map(parameters.map((given) => [`${given.in}.${given.name}`, given]))
}
