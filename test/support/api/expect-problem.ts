import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { CONSOLE_ERROR_CODES } from '../../../src/core/errors.ts'

/** A problem object as it came, with whatever members it has beyond the common ones. */
export type ReceivedProblem = Record<string, unknown> & {
  detail: string
  string_to_sign?: string
  required_scope?: string
  errors?: { pointer: string; code: string; detail: string }[]
}

/** What every answer carries, whatever it answers. */
export function expectCommonHeaders(headers: IncomingHttpHeaders): void {
  expect(headers['x-svc-request-id']).toMatch(/^req_[0-7][0-9a-z]{25}$/)
  expect(headers['cache-control']).toBe('no-store')
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    expect(headers[name], name).toMatch(/^\d+$/)
  }
}

/**
 * Holds an answer to the problem object of the interface, Errors, with everything that goes with
 * it, and gives the object for further checks.
 */
export function expectProblem(
  answer:
    | { status: number; headers: IncomingHttpHeaders; body?: string; text?: string }
    | undefined,
  status: number,
  code: string,
): ReceivedProblem {
  if (!answer) throw new Error(`the connection ended without an answer; expected ${status} ${code}`)
  const text = answer.text ?? answer.body ?? ''
  expect({ status: answer.status, text }).toMatchObject({ status })
  expectCommonHeaders(answer.headers)
  expect(answer.headers['content-type']).toBe('application/problem+json')
  const problem = JSON.parse(text)
  expect(problem).toMatchObject({
    type: expect.stringMatching(new RegExp(`/errors/${code}$`)),
    title: expect.stringMatching(/^[A-Z]/),
    status,
    code,
    detail: expect.stringMatching(/^\S.*\S$/),
    request_id: answer.headers['x-svc-request-id'],
  })
  // Nothing of ours: no stack frames, no files, no SQL, no library's error codes.
  expect(text).not.toMatch(/\bat .*\.[jt]s|node_modules|\/src\/|SELECT |INSERT |FST_|HPE_|ECONN/)
  // Nor a validation library's English: each fault is described in our own sentences.
  expect(text).not.toMatch(/Invalid (input|option|discriminator)|Too (big|small):|, received /)
  const scheme = CONSOLE_ERROR_CODES.some((known) => known === code) ? 'SVC-Console' : 'SVC-Ed25519'
  expect(answer.headers['www-authenticate']).toBe(status === 401 ? scheme : undefined)
  return problem
}
