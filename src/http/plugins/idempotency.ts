import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { recordAction } from '../../domain/console/actions.ts'
import {
  type Answer,
  findAnswer,
  fingerprintOf,
  type KeyedAnswer,
  type KeyedRequest,
  type ReplayTerms,
  runOnce,
  type SecretReplay,
  showAnswer,
} from '../../domain/idempotency/idempotency.ts'
import type { TermsAt, TermsInForce } from '../../domain/margin/policy.ts'
import type { PersonalAnswer } from '../../domain/personal/open-answer.ts'
import type { ClockFor, KnownOffset } from '../../domain/tenants/tenant-clock.ts'
import type { TenantContext } from '../../domain/tenants/tenant-context.ts'
import { callerOf } from '../authentication/authenticate.ts'

export type MutationResult = {
  status: number
  body?: unknown
  /** Set when the body holds the signing secret of this id; its route says `makesSecret`. */
  secretId?: string
  /** Set when the body has sealed texts of a borrower. */
  personal?: PersonalAnswer
}

export type MutationContext = {
  db: Db
  clock: Clock
  clockFor: ClockFor
  termsAt: TermsAt
  secrets: SecretReplay
  /** Runs last in the transaction of a mutation that takes effect. */
  record?: (tenant: TenantContext, request: FastifyRequest, result: MutationResult) => Promise<void>
}

export type Mutation = (tenant: TenantContext & TermsInForce) => Promise<MutationResult>

export type Mutate = (request: FastifyRequest, reply: FastifyReply, run: Mutation) => Promise<void>

/**
 * Every change goes through `mutate`: one transaction for its effect, events and idempotency
 * record. The answer is serialised before the commit, so that nothing can fail after it.
 */
export function createMutate(context: MutationContext): Mutate {
  return async (request, reply, run) => {
    const { tenantId } = callerOf(request)
    const execute = async (tx: Tx, known?: KnownOffset): Promise<Answer> => {
      const realNow = context.clock()
      const now = await context.clockFor(tx, tenantId, known)
      const tenant = { tx, tenantId, now, realNow, ...(await context.termsAt(tx, now)) }
      const result = await run(tenant)
      await context.record?.(tenant, request, result)
      const body = serialise(request, result)
      const { status, secretId, personal } = result
      return { status, body, ...(secretId && { secretId }), ...(personal && { personal }) }
    }
    const keyed = toKeyedRequest(request)
    const answer: KeyedAnswer = keyed
      ? await runOnce(context.db, keyed, termsNow(context), execute)
      : { ...showAnswer(await inTransaction(context.db, (tx) => execute(tx))), replayed: false }
    await recordShownAgain(context, request, answer)
    sendAnswer(request, reply, answer)
  }
}

/**
 * For mutations with slow work before their transaction: sends the stored answer if there is one.
 */
export function createReplayFirst(context: MutationContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<{ replayed: boolean }> => {
    const keyed = toKeyedRequest(request)
    const answer = keyed && (await findAnswer(context.db, keyed, termsNow(context)))
    if (answer) {
      await recordShownAgain(context, request, answer)
      sendAnswer(request, reply, answer)
    }
    return { replayed: answer !== undefined }
  }
}

/** Before a secret is sent again, so that none is without its record. */
async function recordShownAgain(
  { db, clock }: MutationContext,
  request: FastifyRequest,
  { replayed, secretId }: KeyedAnswer,
): Promise<void> {
  if (!replayed || secretId === undefined) return
  const { tenantId, keyId } = callerOf(request)
  const personId = request.session?.person.id
  const actor = { tenantId, keyId, personId, requestId: request.id, now: clock() }
  const act = { action: 'showSecretAgain', subject: secretId }
  await inTransaction(db, (tx) => recordAction(tx, actor, act))
}

function termsNow({ secrets, clock }: MutationContext): ReplayTerms {
  return { secrets, now: clock() }
}

function toKeyedRequest(request: FastifyRequest): KeyedRequest | undefined {
  const key = request.idempotencyKey
  if (key === undefined) return undefined
  const fingerprint = fingerprintOf(request.method, request.raw.url ?? '', request.bodyHash)
  const { tenantId, keyId } = callerOf(request)
  const sentBy = keyId ?? request.session?.person.id
  if (sentBy === undefined) throw new Error('a request was sent by neither a key nor a person')
  return { tenantId, key, fingerprint, sentBy }
}

function serialise(request: FastifyRequest, result: MutationResult): string {
  if (result.secretId !== undefined && !request.routeOptions.config.makesSecret) {
    throw new Error(`${request.routeOptions.url} makes a secret that its route does not declare`)
  }
  if (result.body === undefined) return ''
  const responses = request.routeOptions.schema?.response as Record<number, unknown> | undefined
  const schema = responses?.[result.status]
  if (!(schema instanceof z.ZodType)) {
    throw new Error(`${request.routeOptions.url} documents no body for status ${result.status}`)
  }
  return JSON.stringify(z.encode(schema, result.body))
}

function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: KeyedAnswer): void {
  // A created resource, or its id alone.
  const made = answer.status === 201 ? (JSON.parse(answer.body) as { id?: string }) : {}
  if (made.id !== undefined) request.madeId = made.id
  reply.code(answer.status)
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  if (answer.body !== '') reply.header('content-type', 'application/json; charset=utf-8')
  reply.send(answer.body === '' ? undefined : answer.body)
}
