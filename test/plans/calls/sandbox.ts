import { execute } from '../../../src/db/transactions/execute.ts'
import * as prices from '../../../src/providers/sandbox/price-queries.ts'
import * as providers from '../../../src/providers/sandbox/queries.ts'
import { queriesFile } from '../queries-file.ts'

const newCall = (now: Date): providers.DecidedCall => ({
  provider: 'custodian',
  callId: 'new',
  realNow: now,
  delayedUntil: now,
  isVoid: false,
  next: undefined,
  result: null,
})

export const SANDBOX_CALLS = [
  queriesFile('providers/sandbox/price-queries.ts', prices, {
    selectSandboxPrices: (tx, { tenantId, past, now }) =>
      execute(
        tx,
        prices.selectSandboxPrices({ tenantId, assets: ['BTC', 'ETH'], from: past, until: now }),
      ),
    upsertSandboxPrice: (tx, { tenantId, now }) =>
      prices.upsertSandboxPrice(tx, {
        tenant_id: tenantId,
        asset: 'BTC',
        set_at: now,
        price: 1n,
      }),
    selectPriceChanges: (tx, { tenantId, now }) =>
      prices.selectPriceChanges(tx, { tenantId, asset: 'BTC' }, now, 200),
    deleteSandboxPricesBefore: (tx, { tenantId, past }) =>
      prices.deleteSandboxPricesBefore(tx, { tenantId, asset: 'BTC' }, past, 200),
  }),
  queriesFile('providers/sandbox/queries.ts', providers, {
    upsertSandboxProvider: (tx, { tenantId }) =>
      providers.upsertSandboxProvider(tx, {
        tenant_id: tenantId,
        provider: 'custodian',
        next: 'fail',
      }),
    decideSandboxCall: (tx, { tenantId, now }) =>
      providers.decideSandboxCall(tx, tenantId, newCall(now)),
    insertSandboxReturn: (tx, { tenantId, now }) =>
      providers.insertSandboxReturn(tx, tenantId, {
        callId: 'new',
        code: 'recalled',
        realNow: now,
      }),
    selectSandboxReturn: async (tx, { tenantId, now }) => {
      const callId = 'payments/new'
      await providers.insertSandboxReturn(tx, tenantId, { callId, code: 'recalled', realNow: now })
      await providers.selectSandboxReturn(tx, tenantId, callId)
    },
    selectSandboxCall: (tx, { tenantId, warned: { facilityId } }) =>
      providers.selectSandboxCall(tx, tenantId, `call ${Number(facilityId.slice(4))}`),
    noteSandboxQuestion: (tx, { tenantId, now }) =>
      providers.noteSandboxQuestion(tx, { tenantId, callId: 'new' }, now),
    upsertSandboxHolding: (tx, { tenantId, borrowerId, now }) =>
      providers.upsertSandboxHolding(tx, {
        tenant_id: tenantId,
        borrower_id: borrowerId,
        positions: { BTC: '1' },
        late_seconds: 0,
        set_at: now,
      }),
    deleteSandboxHolding: (tx, { tenantId, borrowerId }) =>
      providers.deleteSandboxHolding(tx, tenantId, borrowerId),
    selectSandboxHoldings: (tx, { tenantId, borrowerIds }) =>
      providers.selectSandboxHoldings(tx, tenantId, borrowerIds),
    selectSandboxSold: (tx, { tenantId, borrowerIds }) =>
      providers.selectSandboxSold(tx, tenantId, borrowerIds),
    selectSandboxLienSequence: (tx, { tenantId, sold }) =>
      providers.selectSandboxLienSequence(tx, tenantId, sold.facilityId),
    upsertSandboxLien: (tx, { tenantId, sold }) =>
      providers.upsertSandboxLien(tx, {
        tenant_id: tenantId,
        facility_id: sold.facilityId,
        sequence: 3n,
        floor_cents: 1n,
      }),
  }),
]
