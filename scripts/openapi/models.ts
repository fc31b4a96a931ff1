import type { OpenApi } from './describe-service.ts'

/** A JSON schema, as far as models need it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export type Member = { name: string; isRequired: boolean; type: Type }

/** What a value of a model may be. */
export type Type =
  | { kind: 'model'; name: string }
  | { kind: 'list'; of: Type }
  | { kind: 'choice'; values: string[] }
  | { kind: 'text' | 'integer' | 'number' | 'flag' | 'map' | 'any' }

export type Model = { name: string; members: Member[] }

/** Of a type of event: the name of its data's model. */
export type EventModel = { type: string; data: string }

export type Models = { models: Model[]; events: EventModel[] }

/** Every object that operations take or answer with on success, and the data of events, by name. */
export function listModels({ paths, webhooks = {}, components }: OpenApi): Models {
  const { schemas = {} } = components as { schemas?: Record<string, Schema> }
  const models = new Map<string, Model>()

  function add(name: string, schema: Schema): Type {
    const members = membersOf(schema).map(([member, { schema: inner, isRequired }]) => ({
      name: member,
      isRequired,
      type: typeOf(inner, `${name}${pascal(member)}`),
    }))
    const known = models.get(name)
    if (known === undefined) models.set(name, { name, members })
    else if (JSON.stringify(known.members) !== JSON.stringify(members)) {
      throw new Error(`two different models would be called ${name}`)
    }
    return { kind: 'model', name }
  }

  /** All members; those that only one of several forms has are optional. */
  function membersOf(schema: Schema): [string, { schema: Schema; isRequired: boolean }][] {
    const members = new Map<string, { schema: Schema; isRequired: boolean }>()
    for (const part of schema.allOf ?? []) {
      for (const [name, member] of membersOf(resolve(part))) members.set(name, member)
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      members.set(name, { schema: inner, isRequired: schema.required?.includes(name) ?? false })
    }
    const forms = (schema.oneOf ?? schema.anyOf ?? []).map(
      (form) => new Map(membersOf(resolve(form))),
    )
    for (const form of forms) {
      for (const [name, member] of form) {
        const isRequired = forms.every((other) => other.get(name)?.isRequired === true)
        const same = forms.flatMap((other) => other.get(name)?.schema.enum ?? [])
        const merged =
          same.length > 0 ? { ...member.schema, enum: [...new Set(same)] } : member.schema
        members.set(name, { schema: merged, isRequired })
      }
    }
    return [...members]
  }

  function resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : (schemas[refName(schema.$ref)] ?? {})
  }

  function isObject(schema: Schema): boolean {
    if (schema.properties !== undefined) return true
    const forms = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? []
    return forms.length > 0 && forms.every((form) => isObject(resolve(form)))
  }

  function typeOf(schema: Schema, name: string): Type {
    const target = resolve(schema)
    if (isObject(target)) {
      const given = schema.$ref !== undefined ? refName(schema.$ref) : nameByShape(target, name)
      return add(given, target)
    }
    const forms = [...(target.anyOf ?? []), ...(target.oneOf ?? [])]
    const [only] = forms.filter(({ type }) => type !== 'null')
    if (forms.length > 0) {
      const kinds = forms.filter(({ type }) => type !== 'null').map((form) => typeOf(form, name))
      const isOne = kinds.every((kind) => JSON.stringify(kind) === JSON.stringify(kinds[0]))
      return isOne && only ? typeOf(only, name) : { kind: 'any' }
    }
    if (typeof target.const === 'string') return { kind: 'choice', values: [target.const] }
    if (target.enum) return { kind: 'choice', values: target.enum.map(String) }
    if (target.type === 'array') {
      return { kind: 'list', of: typeOf(target.items ?? {}, singular(name)) }
    }
    return { kind: KINDS.get(String(target.type)) ?? 'any' }
  }

  for (const methods of Object.values(paths)) {
    for (const { operationId, requestBody, responses } of Object.values(methods)) {
      const body = requestBody?.content['application/json']?.schema as Schema | undefined
      if (body) typeOf(body, `${pascal(operationId)}Body`)
      for (const [status, { content }] of Object.entries(responses)) {
        const answer = content?.['application/json']?.schema as Schema | undefined
        if (status.startsWith('2') && answer) typeOf(answer, `${pascal(operationId)}Answer`)
      }
    }
  }
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema as Schema
    const { data = {} } = Object.fromEntries(
      membersOf(schema).map(([name, { schema: of }]) => [name, of]),
    )
    const made = typeOf(data, `${pascal(type)}Data`)
    return { type, data: made.kind === 'model' ? made.name : 'map' }
  })
  const sorted = [...models.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
  return { models: sorted, events }

  /** The amount of an event is the amount of everything else, and so are events and their resources. */
  function nameByShape({ properties = {} }: Schema, name: string): string {
    const names = Object.keys(properties).join()
    if (names === 'type,id') return 'EventResource'
    return names === 'amount,asset' ? 'Amount' : (NAMES.get(name) ?? name)
  }
}

/** Those that people meet, where the document has no name. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['EventPageItem', 'Event'],
  ['ChainedEventPageItem', 'ChainedEvent'],
  ['DocumentListItem', 'Document'],
  ['SignatureListItem', 'Signature'],
  ['WebhookListItem', 'ListedWebhook'],
])

const KINDS: ReadonlyMap<string, 'text' | 'integer' | 'number' | 'flag' | 'map'> = new Map([
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'flag'],
  ['string', 'text'],
  ['object', 'map'],
])

const refName = (ref: string) => ref.split('/').at(-1) ?? ''

function singular(name: string): string {
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/(?<!s)s$/, '')
}

/** `margin_call.completed` and `getFacility` as a type's name. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[^A-Za-z0-9]+)([a-z0-9])/gi, (_, letter: string) =>
    letter.toUpperCase(),
  )
}
