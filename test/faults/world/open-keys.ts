import { setTimeout as pause } from 'node:timers/promises'
import { ProblemError, UnreachableError } from '../../../src/client/problem-error.ts'
import type { Tenant } from '../actors/tenant.ts'

/** A mutation that waits for its answer. */
export type OpenRequest = {
  origin: string
  key: string
  method: string
  target: string
  body: string | undefined
}

/** Sets a clock ahead through all that is due on the way: it takes as long as that takes. */
export const CLOCK = '/v1/sandbox/clock'

/** The mutations of these tenants that wait for an answer of the API at `origin`. */
export function findOpen(tenants: readonly Tenant[], origin: string) {
  return tenants.flatMap((tenant) =>
    [...tenant.open]
      .filter((request) => request.origin === origin && request.target !== CLOCK)
      .map((request) => ({ tenant, request })),
  )
}

/** Refusals that say nothing of the request: it, or another advance, is still under way. */
const UNDECIDED = new Set(['idempotency_in_progress', 'clock_advancing'])

/**
 * Repeats the requests of APIs that have died under their keys until each is decided: done, or refused for
 * another reason than that it is still being done.
 */
export async function resolveOpen(open: ReturnType<typeof findOpen>): Promise<void> {
  const resolve = async ({ tenant, request }: (typeof open)[number]) => {
    while (!(await isDecided(tenant, request))) await pause(100)
  }
  await Promise.all(open.map(resolve))
}

async function isDecided({ hastyClient }: Tenant, request: OpenRequest): Promise<boolean> {
  const { method, target, body, key } = request
  const options = { idempotencyKey: key, ...(body !== undefined && { body: JSON.parse(body) }) }
  try {
    await hastyClient.request(method, target, options)
    return true
  } catch (error) {
    if (error instanceof UnreachableError) return false
    if (!(error instanceof ProblemError)) throw error
    return error.status < 500 && !UNDECIDED.has(error.code)
  }
}
