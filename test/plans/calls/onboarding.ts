import * as documents from '../../../src/domain/onboarding/document-queries.ts'
import * as onboarding from '../../../src/domain/onboarding/queries.ts'
import * as residency from '../../../src/domain/onboarding/residency-queries.ts'
import * as personal from '../../../src/domain/personal/key-queries.ts'
import { looksSealed } from '../../support/stores/sealer.ts'
import { inEachScope } from '../each-scope.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'

export const borrowerOf = ({ tenantId, now }: Sample) => ({
  ...{ tenant_id: tenantId, borrower_id: 'bor_new', external_id: 'customer-7' },
  ...{ type: 'individual' as const, kyc_attested: true },
  ...{ residency_country: 'DE', residency_state: null, created_at: now, updated_at: now },
})

export const ONBOARDING_CALLS = [
  queriesFile('domain/personal/key-queries.ts', personal, {
    insertKey: async (tx, { tenantId, borrowerId }) =>
      personal.insertKey(tx, { tenantId, borrowerId, sealedKey: 'k2.aa' }),
    selectKeys: (tx, { tenantId, borrowerIds }) => personal.selectKeys(tx, tenantId, borrowerIds),
    selectKeysOfFacilities: (tx, { tenantId, facilityIds }) =>
      personal.selectKeysOfFacilities(tx, tenantId, facilityIds),
    destroyKey: (tx, { tenantId, borrowerId, now }) =>
      personal.destroyKey(tx, { tenantId, borrowerId }, now),
    lockKeysOfOtherStackKeys: (tx, { tenantId }) =>
      inEachScope(tenantId, (scope) =>
        personal.lockKeysOfOtherStackKeys(tx, 'k2', {
          ...{ tenantId: scope, after: undefined, limit: 100 },
        }),
      ),
    updateSealedKey: (tx, { tenantId, borrowerId }) =>
      personal.updateSealedKey(tx, { tenantId, borrowerId }, 'k2.aa'),
  }),
  queriesFile('domain/onboarding/queries.ts', onboarding, {
    insertBorrower: (tx, s) => onboarding.insertBorrower(tx, borrowerOf(s)),
    selectBorrower: (tx, { tenantId, borrowerId }) =>
      onboarding.selectBorrower(tx, tenantId, borrowerId),
    selectBorrowers: async (tx, { tenantId, borrowerIds }) => {
      const page = { before: borrowerIds.at(-1), limit: 101 }
      const all = { ...page, eligible: undefined, externalId: undefined }
      await onboarding.selectBorrowers(tx, tenantId, all)
      await onboarding.selectBorrowers(tx, tenantId, { ...all, eligible: false })
      await onboarding.selectBorrowers(tx, tenantId, { ...all, externalId: 'customer-7' })
    },
    selectIdOfExternal: async (tx, s) => {
      await onboarding.insertBorrower(tx, borrowerOf(s))
      await onboarding.selectIdOfExternal(tx, s.tenantId, 'customer-7')
    },
    lockBorrower: (tx, { tenantId, borrowerId }) =>
      onboarding.lockBorrower(tx, tenantId, borrowerId),
    updateEligible: (tx, { tenantId, checked, now }) =>
      onboarding.updateEligible(tx, tenantId, checked.borrowerId, now),
    updateBlocked: (tx, { tenantId, borrowerId, now }) =>
      onboarding.updateBlocked(tx, tenantId, borrowerId, {
        block: { at: now, reason: looksSealed('fraud') },
        now,
      }),
    insertSignature: (tx, { tenantId, borrowerId, now }) =>
      onboarding.insertSignature(tx, {
        tenant_id: tenantId,
        signature_id: 'sig_new',
        borrower_id: borrowerId,
        number: 2,
        full_name: looksSealed('Name'),
        email: looksSealed('a@example.com'),
        ip_address: looksSealed('192.0.2.1'),
        signed_at: now,
        contract_type: 'master_loan_agreement',
        contract_version: '2026-01',
        recorded_at: now,
      }),
    selectSignatures: (tx, { tenantId, borrowerId }) =>
      onboarding.selectSignatures(tx, tenantId, borrowerId),
    selectLastSignatureNumber: (tx, { tenantId, borrowerId }) =>
      onboarding.selectLastSignatureNumber(tx, tenantId, borrowerId),
    insertCheck: (tx, { tenantId, checked, now }) =>
      onboarding.insertCheck(tx, {
        tenant_id: tenantId,
        check_id: 'chk_new',
        borrower_id: checked.borrowerId,
        kind: 'aml',
        signature_id: checked.signatureId,
        subject: looksSealed('Name'),
        status: 'pending',
        created_at: now,
      }),
    selectChecks: (tx, { tenantId, borrowerId }) =>
      onboarding.selectChecks(tx, tenantId, borrowerId),
    selectChecksInReviewOf: (tx, { tenantId, reviewed }) =>
      onboarding.selectChecksInReviewOf(tx, tenantId, reviewed.borrowerId),
    selectChecksInReview: (tx, { tenantId }) => onboarding.selectChecksInReview(tx, tenantId),
    selectAllChecksInReview: (tx) => onboarding.selectAllChecksInReview(tx),
    updateCheck: (tx, { tenantId, checked, now }) =>
      onboarding.updateCheck(tx, tenantId, checked.checkId, {
        from: ['pending'],
        to: 'passed',
        note: undefined,
        reference: undefined,
        now,
      }),
  }),
  queriesFile('domain/onboarding/document-queries.ts', documents, {
    selectDocuments: (tx, { tenantId }) => documents.selectDocuments(tx, tenantId),
    lockDocuments: (tx, { tenantId }) => documents.lockDocuments(tx, tenantId),
    insertDocument: (tx, { tenantId, now }) =>
      documents.insertDocument(tx, {
        tenant_id: tenantId,
        contract_type: 'other',
        contract_version: '2026-02',
        title: 'Other',
        download_url: 'https://example.com/b.pdf',
        content_type: 'application/pdf',
        published_at: now,
      }),
    updateDocumentSuperseded: (tx, { tenantId, now }) =>
      documents.updateDocumentSuperseded(tx, tenantId, 'master_loan_agreement', now),
    updateDocumentRetired: (tx, { tenantId, now }) =>
      documents.updateDocumentRetired(
        tx,
        tenantId,
        { contractType: 'master_loan_agreement', contractVersion: '2026-01' },
        now,
      ),
  }),
  queriesFile('domain/onboarding/residency-queries.ts', residency, {
    selectPolicyRow: (tx) => residency.selectPolicyRow(tx, 'DE', '', 'individual'),
    lockPolicy: (tx) => residency.lockPolicy(tx),
    selectPolicyRows: (tx) => residency.selectPolicyRows(tx),
    upsertPolicyRow: (tx, { now }) =>
      residency.upsertPolicyRow(tx, {
        country: 'FR',
        state: '',
        borrower_type: 'individual',
        allowed: true,
        updated_at: now,
      }),
  }),
]
