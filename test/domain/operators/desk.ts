import { type Db, inTransaction } from '../../../src/db/database.ts'
import { DEFAULT_POLICY } from '../../../src/domain/facilities/policy.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { createTermsAt } from '../../../src/domain/margin/versions/terms-at.ts'
import {
  type OperatorAct,
  type OperatorActor,
  readOperatorActions,
  recordOperatorAction,
} from '../../../src/domain/operators/actions.ts'
import type { GuardedAct, LendingTerms } from '../../../src/domain/operators/acts/guarded-act.ts'
import { confirmApproval, rejectApproval } from '../../../src/domain/operators/approvals/decide.ts'
import { type DeskContext, doOrPropose } from '../../../src/domain/operators/approvals/propose.ts'
import type { OperatorRole } from '../../../src/domain/operators/roles.ts'
import type { KeepErasure } from '../../../src/domain/personal/erase.ts'
import { createUnquotedPrices } from '../../../src/providers/prices-none.ts'
import { inviteOperator } from '../../support/people.ts'

export type Actor = OperatorActor & { kind: 'operator' }

export const SYSTEM: OperatorActor = { kind: 'system', user: 'tester' }

type ActOptions = { isFourEyes?: boolean; now?: Date; heldSince?: Date }

/** Acts on the database of a house at its time, each in a transaction and recorded, as behind every
 * door. */
export function openDesk(house: {
  db: Db
  now: () => Date
  context?: LendingTerms
  keepErasure?: KeepErasure
}) {
  const { now: clock, context } = house
  const { prices, termsAt, hasRounds } = context ?? {
    ...{ prices: createUnquotedPrices(), hasRounds: false },
    termsAt: createTermsAt({ policy: DEFAULT_POLICY, marginPolicy: DEFAULT_MARGIN_POLICY }, clock),
  }
  const lending = { prices, termsAt, hasRounds }

  async function act<Result>(
    actor: OperatorActor,
    run: (desk: DeskContext) => Promise<{ result: Result; act: OperatorAct | undefined }>,
    { isFourEyes = true, now = house.now(), heldSince }: ActOptions = {},
  ): Promise<Result> {
    return await inTransaction(house.db, async (tx) => {
      const acting = { actor, now, heldSince }
      const desk = {
        tx,
        stack: 'sandbox' as const,
        now,
        acting,
        isFourEyes,
        maxActiveKeys: 10,
        lending,
        keepErasure: house.keepErasure,
      }
      const done = await run(desk)
      if (done.act) await recordOperatorAction(tx, acting, done.act)
      return done.result
    })
  }
  const ask = <Request extends object, Result>(
    actor: OperatorActor,
    guarded: GuardedAct<Request, Result>,
    request: Request,
    { reason = 'board', ...options }: ActOptions & { reason?: string } = {},
  ) => act(actor, (desk) => doOrPropose(desk, guarded, request, reason), options)
  return {
    act,
    async addOperator(name: string, role: OperatorRole): Promise<Actor> {
      const given = { email: `${name}@lender.example`, name, role }
      const { operator } = await inTransaction(house.db, (tx) =>
        inviteOperator(tx, given, house.now()),
      )
      return { kind: 'operator', ...operator }
    },
    ask,
    /** Returns the id of the proposal. */
    async propose<Request extends object>(
      ...asked: Parameters<typeof ask<Request, unknown>>
    ): Promise<string> {
      const outcome = await ask(...asked)
      if (outcome.kind === 'done') throw new Error(`${asked[1].action} was done at once`)
      return outcome.proposed.approvalId
    },
    /** Returns the action, and the token of a link that the act made. */
    confirm: (actor: OperatorActor, approvalId: string, options: ActOptions = {}) =>
      act(
        actor,
        async (desk) => {
          const confirmed = await confirmApproval(desk, approvalId)
          const { act: done, link } = confirmed
          return { result: { action: done.action, token: link?.token }, act: done }
        },
        options,
      ),
    reject: (actor: OperatorActor, approvalId: string, reason?: string) =>
      act(actor, async (desk) => ({
        ...{ result: undefined, act: await rejectApproval(desk, approvalId, reason) },
      })),
    /** Newest first. */
    actionsOn: (subjectId: string) => readOperatorActions(house.db, { subjectId }, 20),
  }
}
