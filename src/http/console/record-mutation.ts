import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { recordAction } from '../../domain/console/actions.ts'
import type { TenantContext } from '../../domain/tenants/tenant-context.ts'
import type { MutationResult } from '../plugins/idempotency.ts'
import { findResourceId } from '../plugins/request-log.ts'
import { actorOf } from './authenticate-session.ts'

/** What a person changes through a `/v1` operation, in that change's transaction. */
export async function recordMutation(
  { tx, realNow }: TenantContext,
  request: FastifyRequest,
  result: MutationResult,
): Promise<void> {
  const { id } = (result.body ?? {}) as { id?: unknown }
  await recordAction(tx, actorOf(request, realNow), {
    action: operationOf(request),
    subject: typeof id === 'string' ? id : findResourceId(request),
  })
}

/** Operations that write without `mutate` are recorded as attempts, before they run. */
export function recordAttempts(
  app: FastifyInstance,
  { db, clock }: { db: Db; clock: Clock },
): void {
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.idempotencyKey !== 'accepted') return
    const act = { action: operationOf(request), subject: findResourceId(request) }
    await inTransaction(db, (tx) => recordAction(tx, actorOf(request, clock()), act))
  })
}

function operationOf(request: FastifyRequest): string {
  const { operationId } = request.routeOptions.schema as { operationId?: string }
  return operationId ?? 'unknown'
}
