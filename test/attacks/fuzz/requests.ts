import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import {
  type Attack,
  HOSTILE_TEXTS,
  type Ids,
  idOf,
  mutationsOf,
  PROTOTYPE_NAMES,
  text,
  valuesOf,
  withFirstIds,
  withIds,
} from './arbitraries.ts'
import type { Operation } from './document.ts'

/** The request of a client that means well: its things, and the body of the document's example. */
export function meantWell(operation: Operation, ids: Ids): Attack {
  const target = operation.path.replace(/\{(\w+)\}/g, (_part, name: string) =>
    name === 'number' ? '1' : (ids[name]?.[0] ?? ''),
  )
  const { example } = operation
  const body = example === undefined ? undefined : JSON.stringify(withFirstIds(example, ids))
  return { target, body, idempotencyKey: undefined, contentType: undefined }
}

/** Requests to one operation, from what it was made for to noise. */
export function attacksOn(operation: Operation, ids: Ids): fc.Arbitrary<Attack> {
  return fc.record({
    target: fc
      .tuple(pathOf(operation, ids), queryOf(operation, ids))
      .map(([path, query]) => (query === '' ? path : `${path}?${query}`)),
    body: bodyOf(operation, ids),
    idempotencyKey: mostly(
      fc.constant(undefined),
      fc.constantFrom(
        null,
        '',
        'x',
        randomUUID().toUpperCase(),
        '0'.repeat(36),
        `${randomUUID()} `,
      ),
    ),
    contentType: mostly(
      fc.constant(undefined),
      fc.constantFrom('', 'text/plain', 'application/json; charset=utf-16', 'application/xml'),
    ),
  })
}

function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

function pathOf(operation: Operation, ids: Ids): fc.Arbitrary<string> {
  const parts = operation.path.split('/').map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) return fc.constant(part)
    const usual = name === 'number' ? fc.constantFrom('1', '1', '1', '2', '0') : idOf(name, ids)
    const odd = fc.oneof(text, fc.constantFrom('%zz', '%00', '%ff', 'x'.repeat(1_100)))
    return mostly(usual, odd).map((value) => (value.startsWith('%') ? value : encode(value)))
  })
  return fc.tuple(...parts).map((each) => each.join('/'))
}

function queryOf(operation: Operation, ids: Ids): fc.Arbitrary<string> {
  const known = operation.query.map(({ name, schema }) =>
    fc.tuple(fc.constant(name), mostly(valuesOf(schema, ids, name), text)),
  )
  const odd = fc.tuple(
    fc.constantFrom('nonsense', 'limit', 'from', 'constructor[prototype]', ...PROTOTYPE_NAMES),
    fc.constantFrom(...HOSTILE_TEXTS),
  )
  const pairs = known.length === 0 ? odd : fc.oneof(...known, odd)
  const some = fc.array(pairs, { minLength: known.length > 0 ? 1 : 0, maxLength: 3 })
  const none = fc.constant<[string, unknown][]>([])
  return fc
    .oneof({ weight: known.length > 0 ? 1 : 7, arbitrary: none }, { weight: 1, arbitrary: some })
    .map((query) => query.map(([name, value]) => `${name}=${encode(String(value))}`).join('&'))
}

/** What is no text at all goes as the bytes that it is in UTF-8. */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

function bodyOf(operation: Operation, ids: Ids): fc.Arbitrary<Attack['body']> {
  if (operation.method === 'GET' || operation.method === 'DELETE') {
    return fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, fc.constant('{}'))
  }
  const nothing = fc.constant(undefined)
  const noise = fc.oneof(
    nothing,
    fc.uint8Array({ maxLength: 60 }),
    text,
    fc.json(),
    fc.constantFrom('{"a":1,"a":2}', '{"type":1e999}', `{"x":${'['.repeat(200)}`, '\uFEFF{}'),
    fc.constantFrom(65_537, 262_145).map((size) => `"${'x'.repeat(size)}"`),
  )
  if (!operation.body) return mostly(nothing, noise)
  const values = valuesOf(operation.body, ids)
  const { example } = operation
  const right = example === undefined ? values : fc.oneof(values, withIds(example, ids))
  return fc.oneof(
    { weight: 4, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: mutationsOf(right).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: noise },
  )
}
