import { sql } from 'kysely'
import * as record from '../../../src/domain/operators/personal-record-queries.ts'
import * as digests from '../../../src/domain/personal/digest-queries.ts'
import * as exports from '../../../src/domain/personal/export-queries.ts'
import * as retention from '../../../src/domain/personal/retention-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const paymentsOf = ({ tenantId, repaying }: Sample) => ({
  tenantId,
  facilityIds: [repaying.facilityId],
  paymentIds: [repaying.repaymentId],
  transferIds: ['transfer-1'],
})

const COLUMNS = [
  { table: 'repayments', column: 'reference', rows: 'facility' },
  { table: 'sandbox_transfers', column: 'transfer_id', rows: 'transfer' },
  { table: 'reconciliation_breaks', column: 'item_id', rows: 'transfer' },
] as const

export const ERASURE_CALLS = [
  queriesFile('domain/personal/retention-queries.ts', retention, {
    lockBorrowerRow: (tx, { tenantId, borrowerId }) =>
      retention.lockBorrowerRow(tx, { tenantId, borrowerId }),
    selectRetentionFacts: (tx, { tenantId, borrowerId }) =>
      retention.selectRetentionFacts(tx, tenantId, borrowerId),
  }),
  queriesFile('domain/personal/digest-queries.ts', digests, {
    selectErasureKey: (tx) => digests.selectErasureKey(tx),
    insertErasureKey: (tx) => digests.insertErasureKey(tx, 'sealed'),
    lockErasureKey: (tx) => digests.lockErasureKey(tx),
    updateErasureKey: (tx) => digests.updateErasureKey(tx, 'sealed'),
    isDigestUsed: async (tx, { tenantId }) => {
      await digests.isDigestUsed(tx, { tenantId, kind: 'reference', digest: 'erased.1' })
      await digests.isDigestUsed(tx, { tenantId, kind: 'transfer', digest: 'erased.1' })
    },
    selectTexts: async (tx, sample) => {
      for (const column of COLUMNS) await digests.selectTexts(tx, column, paymentsOf(sample))
    },
    replaceTexts: async (tx, sample) => {
      const texts = { from: ['one'], to: ['erased.1'] }
      for (const column of COLUMNS) {
        await digests.replaceTexts(tx, column, paymentsOf(sample), texts)
      }
    },
    digestUsed: async (tx, { tenantId, borrowerId }) => {
      await sql`UPDATE borrower_keys SET sealed_key = NULL, erased_at = now()
        WHERE tenant_id = ${tenantId} AND borrower_id = ${borrowerId}`.execute(tx)
      await digests.digestUsed(tx, { tenantId, borrowerId }, { from: [], to: [] })
    },
    selectFolded: (tx, { tenantId, repaying }) =>
      digests.selectFolded(tx, tenantId, [repaying.repaymentId]),
    lockFacilitiesOf: (tx, { tenantId, borrowerId }) =>
      digests.lockFacilitiesOf(tx, tenantId, borrowerId),
    selectPaymentIds: (tx, { tenantId, repaying }) =>
      digests.selectPaymentIds(tx, tenantId, [repaying.facilityId]),
    selectTransferIds: (tx, { tenantId, repaying }) =>
      digests.selectTransferIds(tx, tenantId, [repaying.repaymentId]),
    clearIds: (tx, { tenantId, borrowerId }) => digests.clearIds(tx, tenantId, borrowerId),
    selectCreationAnswers: (tx, { tenantId, borrowerId }) =>
      digests.selectCreationAnswers(tx, tenantId, [borrowerId]),
    updateAnswer: (tx, { tenantId, idempotencyKey: key }) =>
      digests.updateAnswer(tx, tenantId, { key, body: '{}' }),
    clearBreaks: (tx, { tenantId }) => digests.clearBreaks(tx, tenantId, ['transfer-1']),
    clearDoubts: (tx, { tenantId, repaying }) =>
      digests.clearDoubts(tx, tenantId, [repaying.facilityId]),
  }),
  queriesFile('domain/personal/export-queries.ts', exports, {
    selectTablesOfBorrowers: (tx) => exports.selectTablesOfBorrowers(tx),
    selectRowsOf: async (tx, { tenantId, borrowerId, repaying }) => {
      const of = { borrowerId, facilityIds: [repaying.facilityId] }
      await exports.selectRowsOf(tx, tenantId, { name: 'borrowers', ofBorrower: true }, of)
      await exports.selectRowsOf(tx, tenantId, { name: 'draws', ofBorrower: false }, of)
    },
    selectRecordOf: (tx, { tenantId, borrowerId }) =>
      exports.selectRecordOf(tx, tenantId, borrowerId),
  }),
  queriesFile('domain/operators/personal-record-queries.ts', record, {
    selectBorrowerOfSubject: (tx, { tenantId, repaying }) =>
      record.selectBorrowerOfSubject(tx, tenantId, { kind: 'repayment', id: repaying.repaymentId }),
  }),
]
