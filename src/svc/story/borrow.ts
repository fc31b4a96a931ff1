import type { Amount, Facility, Repayment } from '../../client/resources/resources.ts'
import { dim, good } from '../terminal.ts'
import { CONTROLS_CURE } from './inbox.ts'
import type { Stage } from './stage.ts'
import { StoryError } from './story-error.ts'

const DAY_SECONDS = 86_400
const dollars = (amount: string): Amount => ({ amount, asset: 'USD' })

/** From the portfolio to the release of the lien. */
export async function borrow(stage: Stage, borrowerId: string): Promise<void> {
  const { client, printStep } = stage
  const facilityId = await openFacility(stage, borrowerId, '40000.00')
  await drawMoney(stage, facilityId, '20000.00')

  const { now } = await client.advanceSandboxClock(10 * DAY_SECONDS)
  printStep('Clock', `10 days on, ${now}`)
  await showDebt(stage, facilityId)

  await repay(stage, facilityId, { amount: '5000.00' })
  await payOff(stage, facilityId)
}

export async function payOff(stage: Stage, facilityId: string): Promise<void> {
  const { client, inbox, printStep } = stage
  const { outstanding } = await showDebt(stage, facilityId)
  await repay(stage, facilityId, { amount: outstanding.total })

  await client.closeFacility(facilityId)
  printStep('Close', `${facilityId} ${dim('(the custodian is asked to release the lien)')}`)
  await inbox.waitFor('facility.closed', facilityId)
  const { state } = await showDebt(stage, facilityId)
  if (state !== 'CLOSED') throw new StoryError(`${facilityId} reads back as ${state}.`)
}

/** Over one bitcoin. */
export async function openFacility(
  stage: Stage,
  borrowerId: string,
  limit: string,
): Promise<string> {
  const { client, inbox, printStep } = stage
  // An earlier experiment may have set a price; the limit assumes that of the market.
  const { price_usd: price } = await client.setSandboxPrice('BTC', null)
  printStep('Price', `BTC at the market, ${price}`)
  await pushBitcoin(stage, borrowerId, '1')
  const { id, collateral_value_usd } = await client.createFacility({
    borrower_id: borrowerId,
    limit: dollars(limit),
  })
  inbox.include(id)
  printStep('Facility', `${id}, ${limit} USD over collateral of ${collateral_value_usd}`)
  await inbox.waitFor('facility.decisioned', id)
  const { state, decline_reasons = [] } = await client.getFacility(id)
  if (state !== 'APPROVED') {
    throw new StoryError(
      `${id} reads back as ${state} (${decline_reasons.join(', ')}). ${CONTROLS_CURE}`,
    )
  }
  return id
}

/** `as_of` follows the tenant's clock, which may be days ahead. */
export async function pushBitcoin(
  stage: Stage,
  borrowerId: string,
  quantity: string,
): Promise<void> {
  const { client, printStep } = stage
  const { now } = await client.getSandboxClock()
  await client.putPortfolio(borrowerId, { as_of: now, positions: [{ asset: 'BTC', quantity }] })
  printStep('Portfolio', `${quantity} BTC at the custodian`)
}

export async function drawMoney(stage: Stage, facilityId: string, amount: string): Promise<void> {
  const { client, inbox, printStep } = stage
  const wanted = { ...dollars(amount), destination: 'account-4711' }
  const { id } = await client.requestDraw(facilityId, wanted)
  printStep('Draw', `${id}, ${amount} USD ${dim('(reserved; paid once the floor is raised)')}`)
  await inbox.waitFor('draw.completed', id)
}

/** In dollars; `cureOf` names the warning to cure. */
export async function repay(
  stage: Stage,
  facilityId: string,
  { amount, cureOf }: { amount: string; cureOf?: number },
): Promise<void> {
  const { client, inbox, printStep } = stage
  const announced = await client.createRepayment(facilityId, {
    ...dollars(amount),
    ...(cureOf !== undefined && { margin_warning_number: cureOf }),
  })
  const { id, instructions } = announced
  const steps = instructions.map(
    (step) =>
      `${step.operation} ${step.amount} ${step.asset} from ${step.source} to ${step.destination}`,
  )
  printStep('Repayment', id, ...steps)
  const reference = `wire-${crypto.randomUUID()}`
  await client.reportExecution(facilityId, id, {
    status: 'completed',
    delivered: dollars(amount),
    reference,
  })
  printStep('Report', `completed under ${reference}`)
  await inbox.waitFor('repayment.applied', id)
  showWaterfall(stage, await client.getRepayment(facilityId, id))
}

function showWaterfall({ printStep }: Stage, { allocation }: Repayment): void {
  if (!allocation) throw new StoryError('The repayment is applied without an allocation.')
  const { interest, principal, refund_due } = allocation
  printStep(
    'Waterfall',
    `interest ${interest.amount}, principal ${principal.amount}, back ${refund_due.amount}`,
  )
}

export async function showDebt(stage: Stage, facilityId: string): Promise<Facility> {
  const { client, printStep } = stage
  const facility = await client.getFacility(facilityId)
  const { state, outstanding, ltv, custodian_floor_usd: floor } = facility
  const { principal, interest, total } = outstanding
  printStep(
    'Facility',
    `${good(state)}, owes ${total} ${dim(`(principal ${principal}, interest ${interest})`)}`,
    dim(`loan-to-value ${ltv}, floor at the custodian ${floor}`),
  )
  return facility
}
