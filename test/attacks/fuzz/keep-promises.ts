import type { OutgoingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import type { TestResponse } from '../../support/api/api.ts'
import { expectCommonHeaders, expectProblem } from '../../support/api/expect-problem.ts'
import type { Operation } from './document.ts'

type Answer = Pick<TestResponse, 'status' | 'text' | 'json'> & { headers: OutgoingHttpHeaders }

/**
 * Holds an answer to what the document promises of its operation: the status is one of those, and
 * so are the media type, the code of a problem and every member of the body.
 */
export function expectPromised(operation: Operation, answer: TestResponse): void {
  expectPromisedBody(operation, answer)
  expectCommonHeaders(answer.headers)
  if (answer.status >= 400) expectProblem(answer, answer.status, answer.json().code)
}

/** As that, without the headers that every answer to a tenant has. */
export function expectPromisedBody(operation: Operation, answer: Answer): void {
  const { status, headers, text } = answer
  expect(status, text).toBeLessThan(500)
  const promised = operation.answers.get(status)
  if (!promised) throw new Error(`${operation.name} does not promise ${status}: ${text}`)
  if (promised.mediaType === undefined) {
    expect(text).toBe('')
    return
  }
  expect(String(headers['content-type']).split(';')[0]).toBe(promised.mediaType)
  const body = answer.json()
  if (status >= 400) expect(promised.codes, `${operation.name} ${status}`).toContain(body.code)
  const { error } = promised.schema?.safeParse(body) ?? {}
  expect(error?.issues, text).toBeUndefined()
}
