import * as record from '../../../src/domain/operators/personal-record-queries.ts'
import * as digests from '../../../src/domain/personal/digest-queries.ts'
import { DIGESTED } from '../../../src/domain/personal/erase.ts'
import * as exports from '../../../src/domain/personal/export-queries.ts'
import * as retention from '../../../src/domain/personal/retention-queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

const numberOf = ({ facilityId }: Sample['sold']) => Number(facilityId.slice(4))

/** What the crash day's bank and breaks name. */
const transfersOf = ({ sold }: Sample) => [`out ${numberOf(sold)}`, 'item 1']

const paymentsOf = (sample: Sample) => ({
  tenantId: sample.tenantId,
  facilityIds: [sample.sold.facilityId],
  paymentIds: [sample.sold.repaymentId, sample.sold.drawId],
  transferIds: transfersOf(sample),
})

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
    isDigestUsed: async (tx, { tenantId, erased }) => {
      const digest = `erased.${numberOf(erased)}`
      await digests.isDigestUsed(tx, { tenantId, kind: 'reference', digest })
      await digests.isDigestUsed(tx, { tenantId, kind: 'transfer', digest })
    },
    selectTexts: async (tx, sample) => {
      for (const column of DIGESTED) await digests.selectTexts(tx, column, paymentsOf(sample))
    },
    replaceTexts: async (tx, sample) => {
      const from = [`in ${numberOf(sample.sold)}`, ...transfersOf(sample)]
      const texts = { from, to: from.map((text) => `erased.${text}`) }
      for (const column of DIGESTED) {
        await digests.replaceTexts(tx, column, paymentsOf(sample), texts)
      }
    },
    digestUsed: (tx, { tenantId, erased: { borrowerId } }) =>
      digests.digestUsed(tx, { tenantId, borrowerId }, { from: [], to: [] }),
    selectFolded: (tx, { tenantId, sold }) =>
      digests.selectFolded(tx, tenantId, [sold.repaymentId]),
    lockFacilitiesOf: (tx, { tenantId, borrowerId }) =>
      digests.lockFacilitiesOf(tx, tenantId, borrowerId),
    selectPaymentIds: (tx, { tenantId, repaying }) =>
      digests.selectPaymentIds(tx, tenantId, [repaying.facilityId]),
    selectTransferIds: (tx, sample) =>
      digests.selectTransferIds(tx, sample.tenantId, paymentsOf(sample).paymentIds),
    clearIds: (tx, { tenantId, borrowerId }) => digests.clearIds(tx, tenantId, borrowerId),
    selectCreationAnswers: (tx, { tenantId, borrowerId }) =>
      digests.selectCreationAnswers(tx, tenantId, [borrowerId]),
    updateAnswer: (tx, { tenantId, idempotencyKey: key }) =>
      digests.updateAnswer(tx, tenantId, { key, body: '{}' }),
    clearBreaks: (tx, sample) => digests.clearBreaks(tx, sample.tenantId, transfersOf(sample)),
    clearDoubts: (tx, { tenantId, refunded }) =>
      digests.clearDoubts(tx, tenantId, [refunded.facilityId]),
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
