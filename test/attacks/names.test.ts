import { beforeAll, expect, test } from 'vitest'
import { apiForFile } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { parametersOf, readOperations } from './fuzz/document.ts'

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

/** What no database can store, what another language would read into it, what a proxy would decode. */
const HOSTILE_IDS = [
  ...['%00', 'fac_%00', '%F0%9F%92%A9', '%EF%BF%BF', '..', '%2e%2e%2f', '%25%30%30', "'--", '*'],
  ...['null', 'undefined', '-1', '1e3', 'x'.repeat(900), 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c%0A'],
  ...PROTOTYPE_NAMES,
]

const api = apiForFile()
let webhookId: string
beforeAll(async () => {
  const body = { url: 'http://127.0.0.1:9/' }
  webhookId = (await api.tenant.send('POST', '/v1/webhooks', { body })).json().id
})

const operations = readOperations()
const withIds = operations.filter(({ path }) => parametersOf(path).length > 0)
const nowhere = (path: string) => path.replace(/\{\w+\}/g, 'x')

/** An example of a body as of before this run; the webhook that it names is there. */
const bodyLike = (example: unknown) =>
  JSON.parse(
    JSON.stringify(example ?? {})
      .replace(/"20\d\d-[^"]*Z"/g, '"2026-06-01T00:00:00Z"')
      .replace(/whk_[0-9a-z]{26}/g, webhookId),
  )

test.each(withIds.map((operation) => [operation.name, operation] as const))(
  '%s finds nothing by an id of any shape',
  async (_name, { method, path, body, example }) => {
    expect(body === undefined || example !== undefined).toBe(true)
    for (const id of HOSTILE_IDS) {
      const target = path.replace(/\{\w+\}/g, id)
      const answer = await api.tenant.send(method, target, {
        ...(body && { body: bodyLike(example) }),
      })
      expectProblem(answer, 404, 'not_found')
    }
  },
)

test.each(
  operations.flatMap(({ name, path, query }) =>
    query.map((parameter) => [name, parameter.name, path] as const),
  ),
)('%s refuses a %s of any shape, or finds nothing by it', async (_name, parameter, path) => {
  for (const value of HOSTILE_IDS) {
    const answer = await api.tenant.send('GET', `${nowhere(path)}?${parameter}=${value}`)
    if (answer.status === 200) expect(answer.json().items).toEqual([])
    else expect([400, 404, 422]).toContain(answer.status)
  }
})

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s refuses a query parameter with the name of a property of Object.prototype',
  async (_name, { method, path, body, example }) => {
    for (const name of [...PROTOTYPE_NAMES, 'constructor[prototype][eligible]', '__proto__[a]']) {
      const target = `${nowhere(path)}?${encodeURIComponent(name)}=1`
      const answer = await api.tenant.send(method, target, {
        ...(body && { body: bodyLike(example) }),
      })
      const { errors } = expectProblem(answer, 422, 'validation_failed')
      if (example !== undefined || !body) {
        expect(errors).toMatchObject([{ pointer: `?${name}`, code: 'unknown_member' }])
      }
    }
  },
)

test.each(
  operations.filter(({ body }) => body).map((operation) => [operation.name, operation] as const),
)(
  '%s refuses a member with the name of a property of Object.prototype at any depth',
  async (_name, { method, path, example }) => {
    for (const name of PROTOTYPE_NAMES) {
      const text = JSON.stringify(bodyLike(example))
      // At the start of every object of the example, one after the other.
      for (const { index } of text.matchAll(/\{/g)) {
        const comma = text[index + 1] === '}' ? '' : ','
        const member = `"${name}":{"eligible":true,"status":"APPLIED"}${comma}`
        const body = text.slice(0, index + 1) + member + text.slice(index + 1)
        const answer = await api.tenant.send(method, nowhere(path), { body })
        const { errors } = expectProblem(answer, 422, 'validation_failed')
        const pointers = errors?.map(({ pointer }) => pointer) ?? []
        if (example !== undefined) expect(pointers.join()).toContain(`/${name}`)
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  },
)
