import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { inTransaction, type Tx } from '../../db/database.ts'
import { fingerprintOf } from '../../domain/idempotency/idempotency.ts'
import type { ActingOperator } from '../../domain/operators/actions.ts'
import { runOperatorOnce } from '../../domain/operators/answers.ts'
import { parseIdempotencyKey } from '../limits/idempotency-key.ts'
import { actingOperatorOf, operatorOf } from './authenticate-operator.ts'
import type { OperatorContext } from './operator-context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Answered with what an earlier request under the same key was answered. */
    isReplayed: boolean
  }
}

/** Every change of the operator API: one transaction, and under an `Idempotency-Key` once. Returns
 * the body of the answer. What holds a secret is not shown again. */
export async function changeOnce<Body>(
  { db, clock }: Pick<OperatorContext, 'db' | 'clock'>,
  request: FastifyRequest,
  run: (tx: Tx, acting: ActingOperator) => Promise<Body>,
  holdsSecret: (body: Body) => boolean = () => false,
): Promise<Body> {
  const now = clock()
  const acting = actingOperatorOf(request, now)
  const key = parseIdempotencyKey(request.headers['idempotency-key'])
  if (key === undefined) return await inTransaction(db, (tx) => run(tx, acting))
  const fingerprint = fingerprintOf(request.method, request.raw.url ?? '', request.bodyHash)
  const keyed = { operatorId: operatorOf(request).id, key, fingerprint, now }
  let made: { body: Body } | undefined
  const { answer, replayed } = await runOperatorOnce(db, keyed, async (tx) => {
    const body = await run(tx, acting)
    const status = documentedStatus(request, body)
    made = { body }
    return { status, body: holdsSecret(body) ? null : JSON.stringify(body ?? null) }
  })
  request.isReplayed = replayed
  if (!replayed && made) return made.body
  return (JSON.parse(answer.body ?? 'null') ?? undefined) as Body
}

/** For the document: every change honours a key but those that say otherwise. */
export function honourKeys(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.schema?.hide) return
    route.config = { idempotencyKey: 'honoured', ...route.config }
  })
}

export function markReplays(app: FastifyInstance): void {
  app.decorateRequest('isReplayed', false)
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.isReplayed) reply.header('idempotent-replayed', 'true')
    done()
  })
}

/** Throws for a body of another form: before the commit, so that nothing can fail after it. */
function documentedStatus(request: FastifyRequest, body: unknown): number {
  const responses = (request.routeOptions.schema?.response ?? {}) as Record<string, unknown>
  const [status = '200'] = Object.keys(responses).filter((each) => each.startsWith('2'))
  const schema = responses[status]
  if (schema instanceof z.ZodType) z.encode(schema, body)
  return Number(status)
}

export type ChangeArguments = Parameters<Parameters<typeof changeOnce>[2]>
