import { ProblemError, UnreachableError } from '../../../src/client/problem-error.ts'
import type { Tenant } from '../actors/tenant.ts'
import type { Answered, Sent, SentLog } from './sent-log.ts'

/** All that was sent and answered under one key. */
export type Exchange = { tenantId: string; key: string; sent: Sent[]; answered: Answered[] }

export const isSuccess = ({ status }: Answered) => status >= 200 && status <= 299

/** The log by key. A portfolio's key is not recorded: its order is its `as_of`. */
export function exchangesOf(log: Pick<SentLog, 'read'>): Exchange[] {
  const exchanges = new Map<string, Exchange>()
  for (const entry of log.read()) {
    const { tenantId, key } = entry
    const name = `${tenantId} ${key}`
    const exchange = exchanges.get(name) ?? { tenantId, key, sent: [], answered: [] }
    if (entry.kind === 'sent') exchange.sent.push(entry)
    else exchange.answered.push(entry)
    exchanges.set(name, exchange)
  }
  return [...exchanges.values()].filter(({ sent }) => !isPortfolio(sent[0]))
}

export const isPortfolio = (sent: Sent | undefined) =>
  sent?.method === 'PUT' && sent.target.endsWith('/portfolio')

const AT_ONCE = 8

/**
 * Sends every request once more under its key: what was answered must be answered alike, and what
 * was left open comes to its end. The answers are in the log.
 */
export async function replayAll(
  log: Pick<SentLog, 'read'>,
  tenants: readonly Tenant[],
): Promise<string[]> {
  const waiting = exchangesOf(log).filter(isWorthRepeating)
  const problems: string[] = []
  const repeat = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const tenant = tenants.find(({ id }) => id === next.tenantId)
      if (tenant) problems.push(...(await replay(tenant, next)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, repeat))
  return problems
}

/** Not where each attempt was refused for good: its key is unused, and would be used now. */
function isWorthRepeating({ sent, answered }: Exchange): boolean {
  if (answered.some(isSuccess) || answered.length < sent.length) return true
  return answered.some(({ status, body }) => status >= 500 || body.includes('_in_progress'))
}

async function replay(tenant: Tenant, { key, sent, answered }: Exchange): Promise<string[]> {
  const success = answered.find(isSuccess)
  const request = success ? sent.find(({ body }) => body === success.asked) : sent[0]
  if (!request) return [`${key} was answered and never sent`]
  const { method, target, body } = request
  const options = { idempotencyKey: key, ...(body !== undefined && { body: JSON.parse(body) }) }
  try {
    await tenant.client.request(method, target, options)
    return []
  } catch (error) {
    if (error instanceof UnreachableError) return [`${method} ${target} is not answered at rest`]
    if (!(error instanceof ProblemError) || error.status >= 500) {
      return [`${method} ${target} at rest: ${error}`]
    }
    // A replaced secret is never returned again; that it was created once is checked all the same.
    const isLost = success && error.code !== 'secret_not_retrievable'
    return isLost ? [`${method} ${target} was done, and repeated it is ${error.message}`] : []
  }
}
