import { execute } from '../../../src/db/transactions/execute.ts'
import * as prices from '../../../src/domain/collateral/price-queries.ts'
import * as collateral from '../../../src/domain/collateral/queries.ts'
import { queriesFile } from '../queries-file.ts'

export const COLLATERAL_CALLS = [
  queriesFile('domain/collateral/queries.ts', collateral, {
    selectStored: (tx, { tenantId, borrowerId }) =>
      collateral.selectStored(tx, tenantId, borrowerId),
    selectPortfolioSource: (tx, { tenantId }) => collateral.selectPortfolioSource(tx, tenantId),
    insertPortfolioSource: (tx, { tenantId, now }) =>
      collateral.insertPortfolioSource(tx, { tenant_id: tenantId, mode: 'push', set_at: now }),
    lockSourceRow: (tx, { tenantId }) => collateral.lockSourceRow(tx, tenantId),
    queueToReadSource: (tx, { tenantId }) => collateral.queueToReadSource(tx, tenantId),
    queueToChangeSource: (tx, { tenantId }) => collateral.queueToChangeSource(tx, tenantId),
    upsertPortfolioSource: (tx, { tenantId, now }) =>
      collateral.upsertPortfolioSource(tx, { tenant_id: tenantId, mode: 'push', set_at: now }),
    upsertReadings: (tx, { tenantId, borrowerIds, now }) =>
      collateral.upsertReadings(
        tx,
        tenantId,
        borrowerIds.map((borrowerId) => ({ borrowerId, positions: { BTC: '1' } })),
        now,
      ),
    deleteReadings: (tx, { tenantId }) => collateral.deleteReadings(tx, tenantId, 500),
    clearQuestion: (tx, { tenantId, borrowerId }) =>
      collateral.clearQuestion(tx, tenantId, borrowerId),
    deleteReading: (tx, { tenantId, borrowerId }) =>
      collateral.deleteReading(tx, tenantId, borrowerId),
    selectPositionSources: (tx, { tenantId, borrowerIds }) =>
      execute(tx, collateral.selectPositionSources({ tenantId, borrowerIds })),
  }),
  queriesFile('domain/collateral/price-queries.ts', prices, {
    takeSlot: (tx) => prices.takeSlot(tx, 1n),
    takeEvaluation: (tx, { now, soon }) => prices.takeEvaluation(tx, now, soon),
    releaseEvaluation: async (tx, { now, soon }) => {
      await prices.takeEvaluation(tx, now, soon)
      await prices.releaseEvaluation(tx, soon)
    },
    lockFeed: (tx) => prices.lockFeed(tx, 0n),
    updatePendingPrices: (tx) => prices.updatePendingPrices(tx, {}),
    insertRound: (tx, { soon }) =>
      prices.insertRound(tx, { accepted_at: soon, prices: {}, sources: {} }),
    selectNewestRound: (tx, { now }) => prices.selectNewestRound(tx, now),
    selectRounds: (tx, { now }) =>
      prices.selectRounds(
        tx,
        { from: new Date(now.getTime() - 600_000), until: new Date(now.getTime() - 60_000) },
        now,
      ),
    deleteRoundsBefore: (tx, { past }) => prices.deleteRoundsBefore(tx, past, 1_000),
    selectSources: async (tx, { now }) => {
      const rounds = await prices.selectRounds(tx, { from: new Date(0), until: now }, now)
      await prices.selectSources(
        tx,
        rounds.map((round) => round.accepted_at),
      )
    },
  }),
]
