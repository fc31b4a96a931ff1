import fc from 'fast-check'
import { anyWellFormedId, wellFormedIds } from '../../support/api/random-ids.ts'
import type { Schema } from './document.ts'

/** Ids that exist, are another tenant's, or are of nothing, by their prefix. */
export type Ids = Partial<Record<string, string[]>>

/** A request as it goes out, of a client that means well, badly, or nothing at all. */
export type Attack = {
  target: string
  body: string | Uint8Array | undefined
  idempotencyKey: string | null | undefined
  contentType: string | undefined
}

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

/** Texts that are known to have broken software. */
const HOSTILE_TEXTS = [
  ...['', ' ', '\0', '\u001b[2J', '\ud800', '\u202e', 'ﷺ', '💩', 'null', 'NaN', '-0', '0x10'],
  ...['1e400', '-1', '0', '00.10', '.5', '1.', '١٢', '9'.repeat(40), `0.${'0'.repeat(37)}1`],
  ...["'; DROP TABLE borrowers; --", '%00', '../../etc/passwd', '{{7*7}}', '<script>'],
  ...['9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-11-20'],
  ...['http://127.0.0.1:9/', 'https://[::1]/', 'a'.repeat(3_000), ...PROTOTYPE_NAMES],
]

const HOSTILE_NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 5e-324]

const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 300 }),
)

const garbage: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], ...HOSTILE_NUMBERS),
  fc.constantFrom(10, 15, 16, 17, 40).map(nest),
  fc.jsonValue({ maxDepth: 3 }),
)

function nest(levels: number): unknown {
  return levels === 0 ? 1 : [nest(levels - 1)]
}

const decimal = fc.oneof(
  fc.integer({ min: 1, max: 5_000_000 }).map((cents) => (cents / 100).toFixed(2)),
  fc.constantFrom('0.01', '1', '1000.00', '40000.00', '0.00000001', '999999999999999999'),
)

/** Values of a schema of the document; strings by the name of the member that holds them. */
export function valuesOf(schema: Schema, ids: Ids, name = ''): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => valuesOf(option, ids, name)))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type ?? '') {
    case 'object':
      return objectOf(schema, ids)
    case 'array': {
      const { prefixItems: parts } = schema
      if (parts) return fc.tuple(...parts.map((part) => valuesOf(part, ids, name)))
      const element = valuesOf(schema.items ?? {}, ids, name)
      return fc.array(element, { maxLength: 4 })
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000 } = schema
      return fc.integer({ min: Math.ceil(minimum), max: Math.min(maximum, 1_000_000) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return textOf(ids, name)
    default:
      return garbage
  }
}

function objectOf(schema: Schema, ids: Ids): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema
  if (Object.keys(properties).length === 0) return fc.dictionary(text, garbage, { maxKeys: 4 })
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valuesOf(property, ids, name)]),
  )
  return fc.record(model, { requiredKeys: required, noNullPrototype: true })
}

function textOf(ids: Ids, name: string): fc.Arbitrary<string> {
  const { cursor: cursors = [] } = ids
  switch (name) {
    case 'as_of':
    case 'signed_at':
    case 'at':
    case 'to':
      return moment
    case 'amount':
    case 'quantity':
    case 'price_usd':
      return decimal
    case 'asset':
      return fc.constantFrom('USD', 'USDC', 'BTC', 'ETH', 'DOGE')
    case 'residency_country':
      return fc.constantFrom('DE', 'US', 'KP')
    case 'residency_state':
      return fc.constantFrom('CA', 'HI')
    case 'email':
      return fc.constantFrom('ada@example.com', 'ada+fail@example.com')
    case 'ip_address':
      return fc.constantFrom('203.0.113.9', '2001:db8::1')
    case 'contract_type':
      return fc.constantFrom('master_loan_agreement', 'other')
    case 'contract_version':
      return fc.constantFrom('2026-01', '2020-01')
    case 'url':
      return fc.constantFrom('http://127.0.0.1:9/', 'http://10.0.0.1/', 'https://a.invalid/')
    case 'from':
      return fc.oneof(fc.constantFrom(...cursors), moment)
  }
  if (name.endsWith('id')) return idOf(name, ids)
  return fc.string({ minLength: 1, maxLength: 40 })
}

/** Around now, which is where what is right and what is too late meet. */
const moment = fc
  .integer({ min: -1_000_000, max: 120 })
  .map((seconds) => new Date(Date.now() + seconds * 1_000).toISOString())

/** An example of the document with real ids in place of its own. */
export function withIds(example: unknown, ids: Ids): fc.Arbitrary<unknown> {
  return fc.nat().map((at) => putIds(example, ids, at))
}

/** The same with the first of each kind, which belong together. */
export function withFirstIds(example: unknown, ids: Ids): unknown {
  return putIds(example, ids, 0)
}

function putIds(example: unknown, ids: Ids, at: number): unknown {
  return JSON.parse(JSON.stringify(example), (name, value) => {
    const some = typeof value === 'string' ? (ids[name] ?? []) : []
    return some[at % (some.length || 1)] ?? value
  })
}

/** Of the right kind more often than not; the first of each kind belong together. */
export function idOf(name: string, ids: Ids): fc.Arbitrary<string> {
  const all = Object.values(ids).flatMap((some) => some ?? [])
  const any = fc.oneof(fc.constantFrom(...all), anyWellFormedId)
  const right = ids[name] ?? []
  const [first] = right
  if (first === undefined) return any
  const prefixes = [...new Set(right.map((id) => id.slice(0, 3)))]
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(first) },
    { weight: 5, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...prefixes).chain(wellFormedIds) },
    { weight: 1, arbitrary: any },
  )
}

/** A value with one to three parts of it lost, replaced or added to. */
export function mutationsOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('replace', 'lose', 'add', 'repeat'),
    name: fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES, 'id', 'tenant_id', 'eligible', ''), text),
    by: garbage,
  })
  return fc
    .tuple(value, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([original, changes]) => changes.reduce(mutate, original))
}

type Change = { at: number; how: string; name: string; by: unknown }

function mutate(value: unknown, { at, how, name, by }: Change): unknown {
  const copy: unknown = structuredClone(value)
  const places = placesIn(copy)
  const place = places[at % (places.length || 1)]
  if (!place) return by
  const { holder, key } = place
  if (how === 'lose') delete holder[key]
  else if (how === 'add') define(holder, name, by)
  else if (how === 'repeat' && Array.isArray(holder)) holder.push(holder[Number(key)])
  else define(holder, key, by)
  return copy
}

/** Also a member named `__proto__` is one like any other. */
function define(holder: object, name: string, value: unknown): void {
  if (Array.isArray(holder) && !/^\d+$/.test(name)) holder.push(value)
  else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true })
}

type Place = { holder: Record<string, unknown>; key: string }

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [
    { holder, key },
    ...placesIn(Object.getOwnPropertyDescriptor(holder, key)?.value),
  ])
}

export { HOSTILE_TEXTS, PROTOTYPE_NAMES, text }
