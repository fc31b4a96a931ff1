import { formatRatio } from '../../../pages/data/figures.ts'
import { inUsd } from '../../../pages/parts/values.tsx'
import type { service } from '../../data/console-api.ts'
import type { StoryStep } from './story.ts'

type Client = typeof service

/** A price decides after it has held for a minute. */
const CONFIRM_SECONDS = 61

const dollars = (amount: string) => ({ amount, asset: 'USD' })
const shown = inUsd

export function signUp(email = 'ada@example.com'): StoryStep {
  return {
    title: 'A borrower signs the documents and becomes eligible',
    async play({ client, waitFor }, scene) {
      const documents = await client.listDocuments()
      const { id } = await client.createBorrower({
        type: 'individual',
        kyc_attested: true,
        residency_country: 'US',
        residency_state: 'CA',
      })
      scene.borrowerId = id
      for (const { contract_type, contract_version } of documents) {
        await client.submitSignature(id, {
          full_name: 'Ada Example',
          email,
          ip_address: '203.0.113.7',
          signed_at: new Date().toISOString(),
          contract_type,
          contract_version,
        })
      }
      await waitFor('borrower.eligible', id)
      return `The borrower signed ${documents.length} documents, and the checks have passed.`
    },
  }
}

export function openFacility(limit: string): StoryStep {
  return {
    title: `A facility of ${shown(limit)} over one bitcoin is approved`,
    async play({ client, waitFor, showFacility }, scene) {
      const { price_usd: price } = await client.setSandboxPrice('BTC', null)
      await push(client, scene.borrowerId, '1')
      const { id } = await client.createFacility({
        borrower_id: scene.borrowerId,
        limit: dollars(limit),
      })
      scene.facilityId = id
      showFacility(id)
      await waitFor('facility.decisioned', id)
      const { state, decline_reasons: reasons = [] } = await client.getFacility(id)
      if (state !== 'APPROVED') throw new Error(`The facility is ${state}: ${reasons.join(', ')}.`)
      return `Bitcoin is at the market, ${shown(price)}.`
    },
  }
}

export function draw(amount: string): StoryStep {
  return {
    title: `${shown(amount)} is drawn`,
    async play({ client, waitFor }, { facilityId }) {
      const wanted = { ...dollars(amount), destination: 'account-4711' }
      const { id } = await client.requestDraw(facilityId, wanted)
      await waitFor('draw.completed', id)
      const { ltv } = await client.getFacility(facilityId)
      return `Paid out once the custodian had raised the floor. The ratio is ${formatRatio(ltv)}.`
    },
  }
}

/** Raises or worsens a warning. */
export function fallTo(price: string, number: number, tier: number): StoryStep {
  return {
    title: `Bitcoin falls to ${shown(price)}: tier ${tier}`,
    priceUsd: price,
    async play({ client, waitFor }, { facilityId }) {
      await client.setSandboxPrice('BTC', price)
      const { ltv } = await client.getCollateral(facilityId)
      await client.advanceSandboxClock(CONFIRM_SECONDS)
      await waitFor(
        'margin_warning.raised',
        `${facilityId}/${number}`,
        (data) => data.tier === tier,
      )
      const warning = await client.getMarginWarning(facilityId, number)
      const [more] = warning.cure_additions ?? []
      const orMore = more
        ? `, or ${more.quantity} ${more.asset} more, worth ${shown(more.market_usd)} in the market`
        : ''
      return `At ${formatRatio(ltv)} for a minute. What would cure it: ${shown(warning.cure_amount_usd)}${orMore}.`
    },
  }
}

export function deposit(quantity: string, number: number): StoryStep {
  return {
    title: `More bitcoin is deposited: ${quantity} in all`,
    async play({ client, waitFor }, { borrowerId, facilityId }) {
      await push(client, borrowerId, quantity)
      await waitFor('margin_warning.cured', `${facilityId}/${number}`)
      return `The custodian confirmed it, and warning ${number} is cured.`
    },
  }
}

export function payCure(number: number): StoryStep {
  return {
    title: `The amount of warning ${number} is repaid`,
    async play({ client, waitFor }, scene) {
      const { facilityId } = scene
      const { cure_amount_usd: amount } = await client.getMarginWarning(facilityId, number)
      scene.repaymentId = await repay(client, facilityId, { amount, cureOf: number })
      await waitFor('margin_warning.cured', `${facilityId}/${number}`)
      return `${shown(amount)} arrived, and warning ${number} is cured.`
    },
  }
}

export function letTimePass(hours: number, title: string): StoryStep {
  return {
    title,
    hours,
    async play({ client }) {
      const { now } = await client.advanceSandboxClock(hours * 3_600)
      return `The clock of this sandbox shows ${now.slice(0, 16).replace('T', ' ')} UTC.`
    },
  }
}

export function expectSale(number: number): StoryStep {
  return {
    title: 'Collateral is sold',
    async play({ client, waitFor }, { facilityId }) {
      await waitFor('margin_call.completed', `${facilityId}/${number}`)
      const { sold, costs_usd: costs } = await client.getMarginCall(facilityId, number)
      const lines = sold.map(
        ({ asset, quantity, proceeds_usd: proceeds }) =>
          `${quantity} ${asset} for ${shown(proceeds)}`,
      )
      return `${lines.join(', ') || 'Nothing was sold'}; costs ${shown(costs)}.`
    },
  }
}

export function sellAllAt(price: string): StoryStep {
  return {
    title: `Bitcoin falls to ${shown(price)}, below the debt`,
    priceUsd: price,
    async play({ client, waitFor }, { facilityId }) {
      await client.setSandboxPrice('BTC', price)
      await client.advanceSandboxClock(CONFIRM_SECONDS)
      await waitFor('facility.closed', facilityId)
      const { deficit_usd: deficit } = await client.getMarginCall(facilityId, 1)
      return `Everything was sold, and ${shown(deficit)} was left and charged off.`
    },
  }
}

export function returnToMarket(number: number): StoryStep {
  return {
    title: 'Bitcoin returns to the market, and stays',
    async play({ client, waitFor }, { facilityId }) {
      await client.setSandboxPrice('BTC', null)
      await client.advanceSandboxClock(CONFIRM_SECONDS)
      await waitFor('margin_warning.cured', `${facilityId}/${number}`)
      return `Warning ${number} is cured by the price.`
    },
  }
}

export function payOff(): StoryStep {
  return {
    title: 'The loan is paid off and closed',
    async play({ client, waitFor }, { facilityId }) {
      const { outstanding } = await client.getFacility(facilityId)
      if (outstanding.total !== '0.00') {
        const id = await repay(client, facilityId, { amount: outstanding.total })
        await waitFor('repayment.applied', id)
      }
      await client.closeFacility(facilityId)
      await waitFor('facility.closed', facilityId)
      await client.setSandboxPrice('BTC', null)
      return 'The custodian has released the lien, and bitcoin is at the market again.'
    },
  }
}

/** By the sandbox's clock, which may be days ahead. */
async function push(client: Client, borrowerId: string, quantity: string): Promise<void> {
  const { now } = await client.getSandboxClock()
  await client.putPortfolio(borrowerId, { as_of: now, positions: [{ asset: 'BTC', quantity }] })
}

async function repay(
  client: Client,
  facilityId: string,
  { amount, cureOf }: { amount: string; cureOf?: number },
): Promise<string> {
  const { id } = await client.createRepayment(facilityId, {
    ...dollars(amount),
    ...(cureOf !== undefined && { margin_warning_number: cureOf }),
  })
  await client.reportExecution(facilityId, id, {
    status: 'completed',
    delivered: dollars(amount),
    reference: `wire-${crypto.randomUUID()}`,
  })
  return id
}
