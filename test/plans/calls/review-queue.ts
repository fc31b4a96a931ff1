import { insertBorrower } from '../../../src/domain/onboarding/queries.ts'
import * as queue from '../../../src/domain/review-queue/queries.ts'
import { queriesFile } from '../queries-file.ts'
import type { Sample } from '../sample.ts'
import { borrowerOf } from './onboarding.ts'

const first = { after: undefined, limit: 101 }
const later = ({ past }: Sample) => ({ after: [past.toISOString(), ''], limit: 101 })

export const REVIEW_QUEUE_CALLS = [
  queriesFile('domain/review-queue/queries.ts', queue, {
    selectWaitingChecks: async (tx, s) => {
      const all = { tenantId: undefined, kind: undefined }
      await queue.selectWaitingChecks(tx, all, first, s.now)
      await queue.selectWaitingChecks(tx, all, later(s), s.now)
      await queue.selectWaitingChecks(tx, { ...all, tenantId: s.tenantId }, later(s), s.now)
    },
    selectWaitingApplications: async (tx, s) => {
      const at = { realNow: s.now, topic: 'underwrite-facility' }
      await queue.selectWaitingApplications(tx, undefined, first, at)
      await queue.selectWaitingApplications(tx, undefined, later(s), at)
      await queue.selectWaitingApplications(tx, s.tenantId, later(s), at)
    },
    selectBlockedBorrowers: async (tx, s) => {
      await queue.selectBlockedBorrowers(tx, undefined, first)
      await queue.selectBlockedBorrowers(tx, undefined, later(s))
      await queue.selectBlockedBorrowers(tx, s.tenantId, later(s))
    },
    selectLastBlocks: (tx, { tenantId, borrowerIds }) =>
      queue.selectLastBlocks(
        tx,
        borrowerIds.map((borrower_id) => ({ tenant_id: tenantId, borrower_id })),
      ),
    selectByExternalId: async (tx, s) => {
      const { tenantId } = s
      await insertBorrower(tx, borrowerOf(s))
      for (const kind of ['borrower', 'facility'] as const) {
        const asked = { externalId: 'customer-7', tenantId: undefined }
        await queue.selectByExternalId(tx, kind, asked, 100)
        await queue.selectByExternalId(tx, kind, { ...asked, tenantId }, 100)
      }
    },
    selectTenantName: (tx, { tenantId }) => queue.selectTenantName(tx, tenantId),
    selectLatestFacility: (tx, { tenantId, borrowerId }) =>
      queue.selectLatestFacility(tx, tenantId, borrowerId),
  }),
]
