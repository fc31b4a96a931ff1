import type { MarginWarning } from '../../client/resources/resources.ts'
import { bold, dim, good } from '../terminal.ts'
import { drawMoney, openFacility, payOff, pushBitcoin, repay } from './borrow.ts'
import type { Stage } from './stage.ts'
import { StoryError } from './story-error.ts'

const HOUR_SECONDS = 3_600

/** A price decides after it has held for a minute. */
const CONFIRM_SECONDS = 61

type Day = Stage & { borrowerId: string; facilityId: string }

/** Warning 1 is cured by collateral, warning 2 by a repayment, warning 3 escalates and is sold. */
export async function liveThroughMarginDay(stage: Stage, borrowerId: string): Promise<void> {
  const facilityId = await openFacility(stage, borrowerId, '48000.00')
  await drawMoney(stage, facilityId, '48000.00')
  const day = { ...stage, borrowerId, facilityId }

  await fallTo(day, '68000', 1, 1)
  await fallTo(day, '64000', 1, 2)
  await fallTo(day, '61000', 1, 3)
  await pushBitcoin(stage, borrowerId, '1.4')
  await expectCured(day, 1, 'collateral')

  const { cure_amount_usd: amount } = await fallTo(day, '48000', 2, 1)
  await repay(stage, facilityId, { amount, cureOf: 2 })
  await expectCured(day, 2, 'repayment')

  await fallTo(day, '40500', 3, 1)
  await letDeadlinePass(day, 3)
  await payOff(stage, facilityId)
}

/** Shows that a price decides nothing at first, then waits until it raises or worsens a warning. */
async function fallTo(day: Day, price: string, number: number, tier: number) {
  const { client, inbox, printStep, facilityId } = day
  await client.setSandboxPrice('BTC', price)
  const { ltv, health } = await client.getCollateral(facilityId)
  printStep(
    'Price',
    `BTC ${price} ${dim(`(loan-to-value ${ltv}, for less than a minute: ${health})`)}`,
  )
  await client.advanceSandboxClock(CONFIRM_SECONDS)
  await inbox.waitFor('margin_warning.raised', `${facilityId}/${number}`, ({ data }) => {
    return data.tier === tier
  })
  const warning = await client.getMarginWarning(facilityId, number)
  showWarning(day, warning)
  return warning
}

function showWarning({ printStep }: Day, warning: MarginWarning): void {
  const { number, tier, cure_amount_usd, cure_additions, cure_deadline, if_escalated } = warning
  const [more] = cure_additions ?? []
  printStep(
    'Warning',
    `${bold(`number ${number}, tier ${tier}`)}, to be cured by ${cure_deadline}`,
    `with ${cure_amount_usd} USD, or ${more?.quantity} ${more?.asset} more, worth ${more?.market_usd} USD`,
    dim(`else ${if_escalated?.sale_usd} USD worth is sold`),
  )
}

async function expectCured(day: Day, number: number, by: MarginWarning['cured_by']) {
  const { client, inbox, printStep, facilityId } = day
  await inbox.waitFor('margin_warning.cured', `${facilityId}/${number}`)
  const { status, cured_by } = await client.getMarginWarning(facilityId, number)
  if (cured_by !== by) throw new StoryError(`Warning ${number} is ${status} by ${cured_by}.`)
  printStep('Warning', `number ${number} ${good(`cured by ${cured_by}`)}`)
}

async function letDeadlinePass({ client, inbox, printStep, facilityId }: Day, number: number) {
  const { now } = await client.advanceSandboxClock(49 * HOUR_SECONDS)
  printStep('Clock', `49 hours on, ${now}: it is not cured`)
  await inbox.waitFor('margin_warning.escalated', `${facilityId}/${number}`)
  await inbox.waitFor('margin_call.completed', `${facilityId}/1`)
  const { outcome, sold, costs_usd, allocation } = await client.getMarginCall(facilityId, 1)
  const sales = sold.map(
    ({ asset, quantity, proceeds_usd }) => `${quantity} ${asset} sold for ${proceeds_usd} USD`,
  )
  const { interest, principal } = allocation
  printStep(
    'Margin call',
    `${bold(outcome ?? '')}: ${sales.join(', ')}`,
    `costs ${costs_usd}, interest ${interest.amount}, principal ${principal.amount}`,
  )
  const decisions = await client.listMarginDecisions(facilityId, number)
  printStep(
    'On record',
    decisions.map(({ kind, decided_at }) => `${kind} ${dim(decided_at)}`).join(', '),
  )
}
