import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERROR_CODES } from '../src/core/errors.ts'
import { FIELD_CODE_NAMES, FIELD_CODES } from '../src/core/field-errors.ts'
import { EVENT_TYPES } from '../src/domain/events/catalogue/event-types.ts'
import { ERROR_CATALOGUE } from '../src/http/errors/catalogue.ts'
import { startTestApi, type TestApi } from './support/api/api.ts'
import { resolveRefs } from './support/api/resolve-refs.ts'

type Json = Record<string, unknown>
type Parameter = { name: string; in: string; required?: boolean; schema?: Json }
type Media = {
  schema?: Json & { examples?: unknown[] }
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
type Response = { description?: string; content?: Record<string, Media> }
type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: Json[]
  components: { schemas: Record<string, Json>; responses: Json; securitySchemes: Json }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
}

let api: TestApi
let text: string
/** As it is served, and with each component in the place of the references to it. */
let served: Document
let document: Document
let operations: { name: string; path: string; method: string; operation: Operation }[]
beforeAll(async () => {
  api = await startTestApi()
  text = await (await fetch(`${api.baseUrl}/openapi.json`)).text()
  served = JSON.parse(text)
  document = resolveRefs(served, served)
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  )
})
afterAll(() => api[Symbol.asyncDispose]())

/** The names of operations of which `isRight` is not true. */
function exceptions(isRight: (operation: Operation, method: string) => boolean): string[] {
  return operations
    .filter(({ operation, method }) => !isRight(operation, method))
    .map(({ name }) => name)
}

function examplesOf({ schema, example, examples }: Media): unknown[] {
  const own = schema?.examples
  const named = Object.values(examples ?? {}).map(({ value }) => value)
  return [...(example === undefined ? [] : [example]), ...named, ...(own ?? [])]
}

const isSuccess = (status: string) => status.startsWith('2')

describe('the document', () => {
  test('the OpenAPI document is OpenAPI 3.1 in its structure', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info.title).not.toBe('')
    expect(document.info.version).not.toBe('')
    for (const { url } of document.servers) expect(URL.canParse(url)).toBe(true)
    for (const { path, name, operation } of operations) {
      expect(path, name).toMatch(/^\/v1\/[a-z{]/)
      expect(Object.keys(operation.responses).length, name).toBeGreaterThan(0)
      for (const status of Object.keys(operation.responses)) {
        expect(status, name).toMatch(/^[2-5]\d\d$/)
      }
      const parameters = operation.parameters ?? []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      expect(inPath.map((parameter) => parameter.name).sort(), name).toEqual(named.sort())
      expect(
        inPath.filter((parameter) => parameter.required !== true),
        name,
      ).toEqual([])
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(keys).size, name).toBe(keys.length)
      for (const parameter of parameters) expect(parameter.schema, name).toBeDefined()
    }
  })

  test('the OpenAPI document refers only to components that exist, and has none that nothing refers to', () => {
    const referred = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
    const { securitySchemes: _schemes, ...components } = served.components
    const named = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...new Set(referred)].sort()).toEqual(named.sort())
  })

  test('the OpenAPI document requires the three signature headers everywhere', () => {
    const [scheme = {}] = document.security
    expect(Object.keys(scheme).sort()).toEqual(
      Object.keys(document.components.securitySchemes).sort(),
    )
    expect(Object.keys(scheme)).toHaveLength(3)
  })

  test('the OpenAPI document describes every operation that the interface shows and the service has', () => {
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'GET /v1/documents',
        'POST /v1/borrowers',
        'GET /v1/borrowers/{borrower_id}',
        'POST /v1/borrowers/{borrower_id}/signatures',
        'GET /v1/borrowers/{borrower_id}/signatures',
        'POST /v1/webhooks/secrets',
        'POST /v1/webhooks',
        'GET /v1/webhooks',
        'GET /v1/webhooks/{id}',
        'DELETE /v1/webhooks/{id}',
      ]),
    )
  })
})

describe('every operation', () => {
  test('every operation has a summary of its own and a tag that the document explains', () => {
    const known = new Set(document.tags.map((tag) => tag.name))
    expect(exceptions(({ summary = '' }) => /^[A-Z].{5,}[^.]$/.test(summary))).toEqual([])
    expect(exceptions(({ tags = [] }) => tags.length === 1 && known.has(tags[0] ?? ''))).toEqual([])
    const summaries = operations.map(({ operation }) => operation.summary)
    expect(new Set(summaries).size).toBe(summaries.length)
  })

  test('every operation has a name of its own for clients to call it by', () => {
    expect(
      exceptions(({ operationId = '' }) => /^[a-z]+([A-Z][a-z]+)*$/.test(operationId)),
    ).toEqual([])
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  test('every operation documents the general errors, and those of its path and body', () => {
    const has = (operation: Operation, ...statuses: number[]) =>
      statuses.every((status) => operation.responses[status] !== undefined)
    expect(exceptions((operation) => has(operation, 400, 401, 403, 422, 429, 500, 503))).toEqual([])
    const takesBody = exceptions((operation) => operation.requestBody === undefined)
    expect(takesBody.length).toBeGreaterThan(2)
    expect(exceptions((operation) => !operation.requestBody || has(operation, 413, 415))).toEqual(
      [],
    )
    const namesResource = ({ parameters = [] }: Operation) =>
      parameters.some((parameter) => parameter.in === 'path')
    expect(exceptions((operation) => !namesResource(operation) || has(operation, 404))).toEqual([])
  })

  test('every operation gives each error as a problem object and names its codes, all of them known', () => {
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (isSuccess(status)) continue
        expect(Object.keys(response.content ?? {}), name).toEqual(['application/problem+json'])
        const codes = [...(response.description ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => code)
        expect(codes.length, `${name} ${status}`).toBeGreaterThan(0)
        for (const code of ERROR_CODES.filter((known) => codes.includes(known))) {
          expect(String(ERROR_CATALOGUE[code].status), `${name} ${code}`).toBe(status)
        }
        expect(codes.filter((code) => !(ERROR_CODES as readonly unknown[]).includes(code))).toEqual(
          [],
        )
      }
    }
  })

  test('every error answer is described once, and the operations refer to it', () => {
    for (const methods of Object.values(served.paths)) {
      for (const { operationId, responses } of Object.values(methods)) {
        const refusals = Object.entries(responses).filter(([status]) => !isSuccess(status))
        for (const [status, refusal] of refusals) {
          expect(Object.keys(refusal), operationId).toEqual(['$ref'])
          expect(refusal, operationId).toMatchObject({
            $ref: expect.stringMatching(`^#/components/responses/Problem${status}(-|$)`),
          })
        }
      }
    }
  })

  test('every operation describes its success in its own sentence', () => {
    const isReported = ({ responses }: Operation) =>
      Object.entries(responses).every(
        ([status, { description = '' }]) =>
          !isSuccess(status) || (description !== '' && description !== 'Default Response'),
      )
    expect(exceptions(isReported)).toEqual([])
  })

  test('every operation requires an Idempotency-Key exactly where it refuses to run without one', () => {
    for (const { name, operation } of operations) {
      const refusals = operation.responses[400]?.description ?? ''
      const header = operation.parameters?.find(
        (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
      )
      expect(header?.required ?? false, name).toBe(refusals.includes('idempotency_key_missing'))
      expect(header !== undefined, name).toBe(refusals.includes('idempotency_key_invalid'))
    }
  })

  test('every operation shows an example of its body and of each success that has one, valid by the schema', () => {
    let checked = 0
    for (const { name, operation } of operations) {
      const successes = Object.entries(operation.responses).filter(([status]) => isSuccess(status))
      expect(successes.length, name).toBeGreaterThan(0)
      for (const { content = {} } of [
        ...(operation.requestBody ? [operation.requestBody] : []),
        ...successes.map(([, response]) => response),
      ]) {
        for (const media of Object.values(content)) {
          const examples = examplesOf(media)
          expect(examples.length, name).toBeGreaterThan(0)
          for (const example of examples) {
            const result = z.fromJSONSchema(media.schema ?? {}).safeParse(example)
            expect(result.error?.issues, name).toBeUndefined()
            checked += 1
          }
        }
      }
    }
    expect(checked).toBeGreaterThan(10)
  })
})

test.each(EVENT_TYPES)(
  'a delivery of %s is described, with an example that is valid by its schema',
  (type) => {
    const { post } = document.webhooks[type] ?? {}
    const media = post?.requestBody?.content['application/json']
    const schema = z.fromJSONSchema(media?.schema ?? {})
    const example = z.looseObject({ type: z.string() }).parse(media?.example)
    expect(schema.safeParse(example).error?.issues).toBeUndefined()
    expect(example.type).toBe(type)
    expect(schema.safeParse({ ...example, data: {} }).success).toBe(false)
    expect(schema.safeParse({ ...example, new_member: 1 }).success).toBe(true)
  },
)

describe('the closed list of codes of members at fault', () => {
  const entries = Object.entries(FIELD_CODES)

  test('the codes of members at fault are the enum of the document, which explains each', () => {
    const { Problem: problem } = document.components.schemas as {
      Problem: { properties: { errors: { items: { properties: unknown } } } }
    }
    const { code } = problem.properties.errors.items.properties as {
      code: { enum: string[]; description: string }
    }
    expect(code.enum).toEqual(FIELD_CODE_NAMES)
    for (const [name, meaning] of entries) {
      expect(code.description).toContain(`\`${name}\`: ${meaning}`)
    }
  })

  test('the codes of members at fault are on the page of validation_failed', async () => {
    const page = await (await fetch(`${api.baseUrl}/errors/validation_failed.md`)).text()
    for (const [name, meaning] of entries)
      expect(page).toContain(`\n| \`${name}\` | ${meaning} |\n`)
  })

  test('the codes of members at fault are in the docs', () => {
    const docs = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
    const [, section = ''] = docs.split('## Members at fault')
    const [list = ''] = section.split('\n## ')
    const listed = [...list.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, ...row]) => row)
    expect(listed).toEqual(entries)
  })
})

describe('every text that a request can hold', () => {
  const isBounded = (schema: Json): boolean =>
    ['pattern', 'enum', 'const', 'format'].some((keyword) => schema[keyword] !== undefined)

  test('every text in a request has a pattern, an enum or a format in the document', () => {
    const unbounded = operations.flatMap(({ name, operation }) => [
      ...(operation.parameters ?? []).flatMap(({ name: parameter, schema = {} }) =>
        textsOf(schema, [parameter])
          .filter(([, text]) => !isBounded(text))
          .map(([at]) => `${name} ${at}`),
      ),
      ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
        textsOf(schema)
          .filter(([, text]) => !isBounded(text))
          .map(([at]) => `${name} ${at}`),
      ),
    ])
    expect(unbounded).toEqual([])
  })

  test('every text in a request has patterns that every common regular expression engine can read', () => {
    const patterns = [...text.matchAll(/"pattern":"((?:[^"\\\\]|\\\\.)*)"/g)].map(([, raw]) =>
      JSON.parse(`"${raw}"`),
    )
    expect(patterns.length).toBeGreaterThan(50)
    const own = patterns.filter((pattern) => !pattern.includes('@'))
    for (const pattern of own) {
      expect(() => new RegExp(pattern, 'u')).not.toThrow()
      expect(pattern).not.toMatch(/\(\?[=!<]|\\p\{|\\u/)
    }
  })

  test('the Idempotency-Key is shown as text, so that clients do not make an object of it', () => {
    const keys = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter((parameter) => parameter.name === 'Idempotency-Key'),
    )
    expect(keys.length).toBeGreaterThan(5)
    for (const { schema } of keys) {
      const { format, pattern } = schema as { format?: string; pattern: string }
      expect(format).toBeUndefined()
      expect('0B0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d').toMatch(new RegExp(pattern))
    }
  })
})

/** The texts of a schema, each with its path. */
function textsOf(schema: Json, at: string[] = []): [string, Json][] {
  const {
    type,
    properties = {},
    items,
    oneOf = [],
    anyOf = [],
  } = schema as {
    type?: string
    properties?: Record<string, Json>
    items?: Json
    oneOf?: Json[]
    anyOf?: Json[]
  }
  return [
    ...(type === 'string' ? ([[at.join('.'), schema]] as [string, Json][]) : []),
    ...Object.entries(properties).flatMap(([name, member]) => textsOf(member, [...at, name])),
    ...(items ? textsOf(items, [...at, '0']) : []),
    ...[...oneOf, ...anyOf].flatMap((option) => textsOf(option, at)),
  ]
}

test('every delivery has a name of its own for generators to call it by', () => {
  const names = Object.values(document.webhooks).map(({ post }) => post.operationId)
  expect(names).toHaveLength(EVENT_TYPES.length)
  for (const name of names) expect(name).toMatch(/^on([A-Z][a-z]+)+$/)
  const all = [...names, ...operations.map(({ operation }) => operation.operationId)]
  expect(new Set(all).size).toBe(all.length)
})

describe('every error', () => {
  test.each(ERROR_CODES)('the error %s has a page with its cause and its remedy', async (code) => {
    const { title, status, cause, cure } = ERROR_CATALOGUE[code]
    const page = await fetch(`${api.baseUrl}/errors/${code}`)
    expect(page.status).toBe(200)
    const shown = (await page.text()).replaceAll(/<\/?code>/g, '`').replaceAll('&amp;', '&')
    for (const part of [title, code, String(status), cause, cure]) expect(shown).toContain(part)
  })

  test('every error has a type that leads to its page', async () => {
    await using own = await startTestApi({ env: { PUBLIC_URL: api.baseUrl } })
    const unknown = await own.tenant.send('GET', '/v1/borrowers/bor_unknown')
    const { type, title } = unknown.json()
    const page = await fetch(type)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`>${title} <a class="anchor"`)
  })
})
