import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '../../core/ids.ts'
import type { RequestDetails } from '../../db/schema/history.ts'
import type { RequestEntry } from '../../domain/request-log/entry.ts'
import type { RequestLog } from '../../domain/request-log/request-log.ts'

const MAX_PATH = 300
const MAX_ANSWER = 16_384
const MAX_VALUE = 200

/** Names that the API reads; the cursor `from` shows nothing to a person. */
const SHOWN_PARAMETERS = new Set([
  'at',
  'borrower_id',
  'eligible',
  'facility_id',
  'interest',
  'limit',
  'resource_id',
  'state',
  'to',
  'type',
])

const SHOWN_HEADERS = [
  'x-svc-key-id',
  'x-svc-timestamp',
  'x-svc-signature',
  'idempotency-key',
  'content-type',
  'content-length',
  'user-agent',
]

/** Without `addByKey` where no key signs. */
type TenantLog = Pick<RequestLog, 'add'> & Partial<Pick<RequestLog, 'addByKey'>>

/** Adds the requests of this scope to their tenants' log: never a body that was sent, and of
 * answers only refusals. */
export function recordRequests(app: FastifyInstance, log: TenantLog): void {
  app.addHook('onResponse', (request, reply, done) => {
    recordRequest(log, request, reply)
    done()
  })
}

/** A request that names no key, or an unknown one, belongs to no tenant and is not added. */
export function recordRequest(log: TenantLog, request: FastifyRequest, reply: FastifyReply): void {
  const tenantId = request.caller?.tenantId ?? request.claim?.key?.tenantId
  if (tenantId !== undefined) {
    log.add(toEntry(request, reply, tenantId))
    return
  }
  const keyId = readKeyId(request)
  if (keyId !== undefined) log.addByKey?.(keyId, toEntry(request, reply, undefined))
}

/** Of a request that was refused before its signature was read, too. */
function readKeyId({ raw: { headers }, claim }: FastifyRequest): string | undefined {
  if (claim) return claim.keyId
  const { 'x-svc-key-id': given } = headers
  return typeof given === 'string' && isId('key', given) ? given : undefined
}

function toEntry<Tenant extends string | undefined>(
  request: FastifyRequest,
  reply: FastifyReply,
  tenantId: Tenant,
): Omit<RequestEntry, 'tenantId'> & { tenantId: Tenant } {
  const target = request.raw.url ?? ''
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  return {
    tenantId,
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unmatched',
    path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path,
    status: reply.statusCode,
    code: request.refusalCode,
    keyId: request.session ? undefined : readKeyId(request),
    personId: request.session?.person.id,
    durationMs: reply.elapsedTime,
    idempotencyKey: makesSecret(request) ? undefined : request.idempotencyKey,
    resourceId: request.resourceId,
    details: query === -1 && !request.problem ? undefined : toDetails(request, target),
    isFree: request.caller === undefined || reply.statusCode === 429,
  }
}

function toDetails(request: FastifyRequest, target: string): RequestDetails {
  const query = shownQuery(target)
  const answer =
    request.problem === undefined ? {} : { answer: shownAnswer(request, request.problem, target) }
  return {
    ...(query && { query }),
    ...answer,
    ...(request.refusalCode === 'signature_invalid' && { sent: shownHeaders(request) }),
  }
}

function parametersOf(target: string): [string, string][] {
  const at = target.indexOf('?')
  return at === -1 ? [] : [...new URLSearchParams(target.slice(at + 1))]
}

function shownQuery(target: string): Record<string, string> | undefined {
  const shown = parametersOf(target).filter(([name]) => SHOWN_PARAMETERS.has(name))
  if (shown.length === 0) return undefined
  return Object.fromEntries(shown.map(([name, value]) => [name, value.slice(0, MAX_VALUE)]))
}

/** Who knows its Idempotency-Key could ask for the secret. */
const makesSecret = ({ routeOptions }: FastifyRequest) => routeOptions.config.makesSecret === true

/** The string to sign holds the query: without values that no parameter of the API has. */
function shownAnswer(request: FastifyRequest, problem: string, target: string): unknown {
  if (problem.length > MAX_ANSWER) {
    const { type, title, status, code, detail, request_id } = JSON.parse(problem)
    return { type, title, status, code, detail, request_id }
  }
  const answer = JSON.parse(problem)
  if (makesSecret(request)) delete answer.string_to_sign
  const isShown = ([name]: [string, string]) => name === 'from' || SHOWN_PARAMETERS.has(name)
  if (answer.string_to_sign === undefined || parametersOf(target).every(isShown)) return answer
  const [path = ''] = target.split('?')
  return { ...answer, string_to_sign: answer.string_to_sign.replace(target, () => `${path}?…`) }
}

function shownHeaders(request: FastifyRequest): Record<string, string> {
  const { headers } = request.raw
  const given = SHOWN_HEADERS.flatMap((name) => {
    const value = headers[name]
    if (name === 'idempotency-key' && makesSecret(request)) return []
    return typeof value === 'string' ? [[name, value.slice(0, MAX_VALUE)]] : []
  })
  return Object.fromEntries(given)
}
