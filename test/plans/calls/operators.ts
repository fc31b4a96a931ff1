import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import * as actions from '../../../src/domain/operators/action-queries.ts'
import * as answers from '../../../src/domain/operators/answer-queries.ts'
import * as approvals from '../../../src/domain/operators/approvals/approval-queries.ts'
import * as closing from '../../../src/domain/operators/closing/closing-queries.ts'
import * as find from '../../../src/domain/operators/find/find-queries.ts'
import * as tokens from '../../../src/domain/operators/token-queries.ts'
import { updateExported } from '../../../src/domain/tenants/export-queries.ts'
import { updateSuspension } from '../../../src/domain/tenants/queries.ts'
import { LOOKS_SEALED } from '../../support/stores/sealer.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const OPERATOR = 'opr_00000000000000000000000001'
const APPROVAL = 'apr_00000000000000000000000001'
const KEY = '00000000-0000-4000-8000-000000000050'
const later = ({ soon }: Sample) => addMs(soon, 30 * DAY_MS)
const _yearAgo = ({ now }: Sample) => addMs(now, -365 * DAY_MS)

export const OPERATOR_CALLS = [
  queriesFile('domain/operators/approvals/approval-queries.ts', approvals, {
    insertApproval: (tx, { borrowerId, tenantId, now, soon }) =>
      approvals.insertApproval(tx, {
        ...{ approvalId: 'apr_new', action: 'borrowers.unblock', tenantId, borrowerId },
        ...{ subject: { kind: 'borrower', id: borrowerId }, request: { tenantId, borrowerId } },
        ...{ before: { blocked: true }, after: { blocked: false } },
        reason: LOOKS_SEALED,
        ...{ proposedBy: OPERATOR, proposedAt: now, expiresAt: soon, seenNumber: 100n },
        heldSince: now,
      }),
    selectPendingApprovals: (tx, { now }) =>
      approvals.selectPendingApprovals(tx, now, { after: APPROVAL, limit: 101 }),
    selectApprovals: (tx) =>
      approvals.selectApprovals(tx, { before: 'apr_00000000000000000000010000', limit: 101 }),
    selectApproval: (tx) => approvals.selectApproval(tx, APPROVAL),
    selectRequest: (tx) => approvals.selectRequest(tx, APPROVAL),
    selectOwnPending: (tx, { now }) =>
      approvals.selectOwnPending(tx, {
        ...{ proposedBy: OPERATOR, subjectId: 'bor_000001', now },
      }),
    lockApproval: (tx) => approvals.lockApproval(tx, APPROVAL),
    updateApproval: (tx, { now }) =>
      approvals.updateApproval(tx, APPROVAL, {
        ...{ status: 'CONFIRMED', decidedBy: 'opr_00000000000000000000000002' },
        ...{ decidedAt: now, reason: undefined },
      }),
  }),
  queriesFile('domain/operators/find/find-queries.ts', find, {
    selectPlaced: async (tx, { drawing, keyId, webhookId, event, now }) => {
      const { facilityId, borrowerId, drawId, repaymentId, checkId, signatureId } = drawing
      for (const id of [
        facilityId,
        borrowerId,
        drawId,
        repaymentId,
        checkId,
        signatureId,
        keyId,
        webhookId,
      ]) {
        const place = find.PLACES[id.slice(0, 3) as keyof typeof find.PLACES]
        await find.selectPlaced(tx, place, id, now)
      }
      await find.selectPlaced(tx, find.PLACES.evt, event.id, event.recordedAt)
    },
    selectTenantsNamed: (tx) => find.selectTenantsNamed(tx, 'T', 20),
    selectTransfer: (tx) => find.selectTransfer(tx, 'in 3'),
    selectByReference: (tx) => find.selectByReference(tx, 'IN 3'),
    isSubjectOfActs: (tx) => find.isSubjectOfActs(tx, 'bor_000002'),
    selectActsOfRequest: async (tx, { past, soon }) => {
      const id = 'req_00000000000000000000000001'
      await sql`UPDATE operator_actions SET request_id = ${id} WHERE number = 2`.execute(tx)
      await find.selectActsOfRequest(tx, id, { from: past, to: soon })
    },
  }),
  queriesFile('domain/operators/closing/closing-queries.ts', closing, {
    lockClosing: (tx, { tenantId }) => closing.lockClosing(tx, tenantId),
    updateClosed: async (tx, { tenantId, now }) => {
      await updateSuspension(tx, tenantId, { at: now, reason: 'ended' })
      await updateExported(tx, tenantId, 1n)
      await closing.updateClosed(tx, tenantId, now)
    },
    selectOwedOrHeld: (tx, { tenantId }) => closing.selectOwedOrHeld(tx, tenantId),
  }),
  queriesFile('domain/operators/token-queries.ts', tokens, {
    insertOperatorToken: (tx, { now, soon }) =>
      tokens.insertOperatorToken(tx, {
        ...{ tokenId: 'opt_new', operatorId: OPERATOR, name: 'new', tokenHash: Buffer.alloc(32) },
        ...{ createdAt: now, expiresAt: soon, endsAt: undefined, isTrusted: false },
      }),
    updateTokenFirstUsed: (tx, { now }) =>
      tokens.updateTokenFirstUsed(tx, 'opt_00000000000000000000000001', now),
    selectTokenHolder: (tx, { now }) =>
      tokens.selectTokenHolder(tx, hash('sha256', 'token 1', 'buffer'), now),
    selectOperatorTokens: (tx) => tokens.selectOperatorTokens(tx),
    updateTokenRevoked: (tx, { now }) =>
      tokens.updateTokenRevoked(tx, 'opt_00000000000000000000000001', now),
  }),
  queriesFile('domain/operators/action-queries.ts', actions, {
    hasActionsSince: (tx) =>
      actions.hasActionsSince(tx, { kind: 'borrower', id: 'bor_000100' }, 50_000n),
    selectLastNumber: (tx) => actions.selectLastNumber(tx),
    selectOperatorAction: (tx) => actions.selectOperatorAction(tx, 50_000n),
    lockTrail: (tx) => actions.lockTrail(tx),
    insertOperatorAction: (tx, { borrowerId, tenantId, now }) =>
      actions.insertOperatorAction(
        tx,
        { number: 1_000_000n, hash: Buffer.alloc(32) },
        {
          ...{ operatorId: OPERATOR, actor: 'operator1@lender.example', action: 'borrowers.block' },
          ...{ subjectKind: 'borrower', subjectId: borrowerId, tenantId, borrowerId },
          reason: 'person.court order',
          ...{ before: { blocked: false }, after: { blocked: true }, requestId: undefined },
          actedAt: now,
        },
      ),
    selectOperatorActions: (tx) =>
      actions.selectOperatorActions(
        tx,
        { subjectId: 'bor_000100' },
        { before: 1_000_000n, limit: 101 },
      ),
  }),
  queriesFile('domain/operators/answer-queries.ts', answers, {
    tryLockAnswer: (tx) => answers.tryLockAnswer(tx, OPERATOR, KEY),
    selectAnswer: (tx) => answers.selectAnswer(tx, OPERATOR, KEY),
    insertAnswer: async (tx, { now }) =>
      answers.insertAnswer(
        tx,
        { operatorId: OPERATOR, key: '00000000-0000-4000-8000-ffffffffffff', recordedAt: now },
        { fingerprint: hash('sha256', 'new', 'buffer'), status: 200, body: '{}' },
      ),
    deleteAnswersBefore: (tx, sample) => answers.deleteAnswersBefore(tx, later(sample), 100),
  }),
]
