import { expect } from 'vitest'
import type { TestResponse } from '../../support/api/api.ts'
import { expectCommonHeaders, expectProblem } from '../../support/api/expect-problem.ts'
import type { Operation } from './document.ts'

/**
 * Holds an answer to what the document promises of its operation: the status is one of those, and
 * so are the media type, the code of a problem and every member of the body.
 */
export function expectPromised(operation: Operation, answer: TestResponse): void {
  const { status, headers, text } = answer
  expect(status, text).toBeLessThan(500)
  const promised = operation.answers.get(status)
  if (!promised) throw new Error(`${operation.name} does not promise ${status}: ${text}`)
  expectCommonHeaders(headers)
  if (promised.mediaType === undefined) {
    expect(text).toBe('')
    return
  }
  expect(String(headers['content-type']).split(';')[0]).toBe(promised.mediaType)
  if (status >= 400) {
    const { code } = answer.json()
    expectProblem(answer, status, code)
    expect(promised.codes, `${operation.name} ${status}`).toContain(code)
  }
  const { error } = promised.schema?.safeParse(answer.json()) ?? {}
  expect(error?.issues, text).toBeUndefined()
}
