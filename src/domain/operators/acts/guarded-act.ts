import type { z } from 'zod'
import type { StackName } from '../../../db/connections/stack-identity.ts'
import type { Tx } from '../../../db/database.ts'
import type { PriceFeed } from '../../collateral/prices.ts'
import type { LendingContext } from '../../facilities/lending-context.ts'
import type { MarginContext } from '../../margin/evaluation/evaluate-facilities.ts'
import type { TermsAt } from '../../margin/policy.ts'
import type { KeepErasure } from '../../personal/erase.ts'
import { createClockFor } from '../../tenants/tenant-clock.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import type { ActingOperator, OperatorAct } from '../actions.ts'
import type { OperatorActName } from '../roles.ts'

/** Who proposed and who signed: one operator, where an act needs no second. */
export type Signatures = { proposedBy: string; signedBy: string }

export type ActContext = {
  tx: Tx
  stack: StackName
  now: Date
  acting: ActingOperator
  /** An act on one tenant. */
  maxActiveKeys: number
  signatures: Signatures
  /** By what facilities are evaluated. */
  lending: LendingTerms
  /** It is undone at once: a proposal is tried out. */
  isTrial?: boolean
  /** Undefined where there is no file for erasures. */
  keepErasure?: KeepErasure | undefined
}

export type LendingTerms = { prices: PriceFeed; termsAt: TermsAt; hasRounds: boolean }

export type SubjectAct = OperatorAct & Required<Pick<OperatorAct, 'subject'>>

/** An act that may need a second operator. Its preconditions are checked each time it runs. */
export type GuardedAct<Request, Result> = {
  /** Only who may do it reads or locks anything for it. */
  action: OperatorActName
  /** Of the request as it is stored with a proposal. */
  schema: z.ZodType<Request>
  needsSecond: (context: ActContext, request: Request) => Promise<boolean>
  /** `act` is undefined where there was nothing to change. */
  run: (
    context: ActContext,
    request: Request,
    reason: string | undefined,
  ) => Promise<{ result: Result; act: SubjectAct | undefined }>
}

export async function tenantContextOf(
  { tx, stack, now: realNow }: Pick<ActContext, 'tx' | 'stack' | 'now'>,
  tenantId: string,
): Promise<TenantContext> {
  const now = await createClockFor(stack, () => realNow)(tx, tenantId)
  return { tx, tenantId, now, realNow }
}

export async function lendingContextOf(
  context: Omit<ActContext, 'signatures'>,
  tenantId: string,
): Promise<LendingContext & MarginContext> {
  const tenant = await tenantContextOf(context, tenantId)
  const { prices, termsAt, hasRounds } = context.lending
  return { ...tenant, ...(await termsAt(tenant.tx, tenant.now)), prices, hasRounds }
}
