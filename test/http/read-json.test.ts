import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import { readJson } from '../../src/http/read-json.ts'

const MAX_DEPTH = 16

/** The value, or the code and detail of the refusal. */
function read(text: string | Buffer): { value: unknown } | { code: string; detail: string } {
  try {
    return { value: readJson(Buffer.from(text), MAX_DEPTH) }
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, detail: error.message }
    throw error
  }
}

function detailOf(text: string | Buffer): string | undefined {
  const outcome = read(text)
  if ('value' in outcome) return undefined
  expect(outcome.code).toBe('invalid_json')
  return outcome.detail
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('every JSON text that is not too deep is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      const expected: unknown = JSON.parse(text)
      fc.pre(depthOf(expected) <= MAX_DEPTH)
      expect(read(text)).toEqual({ value: expected })
    }),
    { numRuns: 1_000 },
  )
})

test('whatever JSON.parse refuses is refused, and nothing else is thrown', () => {
  const fragments = fc.constantFrom(...'{}[]",:\\u0061 trueflsn-+.eE019\n\t\0', '"a"', '\\"', 'é')
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {
        expect(detailOf(text)).toBeDefined()
        return
      }
      const outcome = read(text)
      if ('value' in outcome) expect(outcome.value).toEqual(expected)
      else expect(outcome.detail).toMatch(/repeated|represented exactly/)
    }),
    { numRuns: 10_000 },
  )
})

test('an object with a name given twice is refused wherever it stands, however it is spelt', () => {
  const name = fc.string({ minLength: 1, maxLength: 6, unit: 'binary' })
  const wrap = fc.array(fc.constantFrom('object', 'array'), { maxLength: 6 })
  fc.assert(
    fc.property(
      name,
      wrap,
      fc.boolean(),
      fc.jsonValue({ maxDepth: 2 }),
      (key, path, isEscaped, v) => {
        const plain = JSON.stringify(key)
        const units = Array.from({ length: key.length }, (_, at) => key.charCodeAt(at))
        const escaped = `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
        const value = JSON.stringify(v)
        const twice = `{${plain}:${value}, "~":[{}] ,${isEscaped ? escaped : plain} :${value}}`
        const text = path.reduce(
          (inner, kind) => (kind === 'object' ? `{"a":1,"b":${inner}}` : `[{"a":1},${inner}]`),
          twice,
        )
        fc.pre(key !== '~')
        expect(JSON.parse(text)).toBeDefined()
        expect(detailOf(text)).toBe('A member name is repeated in one object.')
      },
    ),
    { numRuns: 2_000 },
  )
})

test('one name in several objects, in values and beside its own case is not given twice', () => {
  const text = '{"a":{"a":["a","a",{"a":1},{"a":2}]},"A":"a","a\\\\":1,"\\"a":",\\"a\\":"}'
  expect(read(text)).toEqual({ value: JSON.parse(text) })
})

test('names of the prototype are names like any other', () => {
  const text = '{"__proto__":1,"constructor":{"prototype":2},"toString":3}'
  const outcome = read(text)
  expect('value' in outcome && Object.keys(outcome.value as object)).toEqual([
    '__proto__',
    'constructor',
    'toString',
  ])
  expect(detailOf('{"__proto__":1,"__proto__":2}')).toContain('repeated')
})

test('bytes that are no UTF-8 are refused wherever they stand', () => {
  const invalid = fc.constantFrom('ff', 'c0af', 'eda080', 'f4908080', 'e282', '80')
  fc.assert(
    fc.property(fc.json(), invalid, fc.nat(), (text, hex, position) => {
      const bytes = Buffer.from(text)
      const at = position % (bytes.length + 1)
      const broken = [bytes.subarray(0, at), Buffer.from(hex, 'hex'), bytes.subarray(at)]
      expect(detailOf(Buffer.concat(broken))).toBeDefined()
    }),
  )
})

test('a byte order mark is refused', () => {
  expect(detailOf('\uFEFF{}')).toContain('byte order mark')
})

test.each(['array', 'object', 'mixed'])('16 levels of %s are read, 17 are refused', (kind) => {
  const nest = (levels: number) => {
    let text = '1'
    for (let level = 0; level < levels; level += 1) {
      const isArray = kind === 'array' || (kind === 'mixed' && level % 2 === 0)
      text = isArray ? `[${text}]` : `{"a":${text}}`
    }
    return text
  }
  expect(read(nest(16))).toHaveProperty('value')
  expect(detailOf(nest(17))).toBe('The body is nested deeper than 16 levels.')
})

test('brackets in strings are no levels', () => {
  const text = JSON.stringify(['['.repeat(40), '{"'.repeat(40)])
  expect(read(text)).toEqual({ value: JSON.parse(text) })
})

test('the largest body of open brackets is refused, not a crash', () => {
  expect(detailOf('['.repeat(64 * 1024))).toBeDefined()
  expect(detailOf('{"a":'.repeat(12_000))).toBeDefined()
  expect(detailOf(`${'['.repeat(32_000)}${']'.repeat(32_000)}`)).toContain('deeper')
})

test.each([
  ['{"a" 1}', 5],
  ['{"position 99":"at position 98", nope}', 33],
  ['[1]x', 3],
  ["{'a':1}", 1],
])('the refusal of %s shows the character at which reading stopped', (text, position) => {
  expect(detailOf(text)).toBe(`Syntax error at character ${position}.`)
})

test('no position is shown where the engine gives none, whatever the body contains', () => {
  expect(detailOf('{"a":nope}')).toBe('Syntax error.')
  expect(detailOf('["in JSON at position 9 (line 1 column 10)",]')).toBe('Syntax error.')
})

test.each(['{"a":1', '[', '"abc', ''])(
  'the refusal of %o states that the text ends early',
  (text) => {
    expect(detailOf(text)).toBe('The body ends before the JSON is complete.')
  },
)

test.each([
  '1e-400',
  '-1e-400',
  '1e400',
  '9007199254740993',
  '86400.00000000000000001',
  '0.1000000000000000000000001',
  `1${'0'.repeat(40)}`,
  `0.${'0'.repeat(40)}`,
])('%s is refused, for JavaScript would make another number of it', (number) => {
  for (const text of [number, `[1,${number}]`, `{"a":${number},"b":2}`]) {
    expect(detailOf(text)).toMatch(/^The number at character \d+ cannot be represented exactly\.$/)
  }
  expect(read(`{"a":"${number}"}`)).toEqual({ value: { a: number } })
})

test.each(['0', '-0', '1.0', '1e2', '100', '1E+2', '0.10', '5e-324', '9007199254740991', '1e21'])(
  '%s is read as the number that it is',
  (number) => {
    expect(read(`{"a":${number}}`)).toEqual({ value: { a: JSON.parse(number) } })
  },
)

test('no refusal quotes the body', () => {
  const secret = 'hunter2'
  for (const text of [`{"password": ${secret}}`, `["${secret}"`, `{"${secret}":1,"${secret}":2}`]) {
    expect(detailOf(text)).not.toContain(secret)
  }
})
