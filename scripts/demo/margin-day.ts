import type { Client } from '../../src/client/client.ts'
import type { MarginWarning } from '../../src/client/resources.ts'
import { drawMoney, openFacility, payOff, pushBitcoin, repay } from './borrow.ts'
import { DemoError } from './demo-error.ts'
import type { Inbox } from './inbox.ts'
import { bold, dim, good, showStep } from './terminal.ts'

const HOUR_SECONDS = 3_600

/** A price counts once it has stood for a minute. */
const CONFIRM_SECONDS = 61

type Day = { client: Client; inbox: Inbox; borrowerId: string; facilityId: string }

/**
 * Bitcoin falls through every tier of the margin ladder: the first warning is cured by collateral,
 * the second by a repayment, the third escalates and collateral is sold.
 */
export async function liveThroughMarginDay(
  client: Client,
  inbox: Inbox,
  borrowerId: string,
): Promise<void> {
  const facilityId = await openFacility(client, inbox, borrowerId, '48000.00')
  await drawMoney(client, inbox, facilityId, '48000.00')
  const day = { client, inbox, borrowerId, facilityId }

  await fallTo(day, '68000', 1, 1)
  await fallTo(day, '64000', 1, 2)
  await fallTo(day, '61000', 1, 3)
  await pushBitcoin(client, borrowerId, '1.4')
  await expectCured(day, 1, 'collateral')

  const { cure_amount_usd: amount } = await fallTo(day, '48000', 2, 1)
  await repay(client, inbox, facilityId, { amount, cureOf: 2 })
  await expectCured(day, 2, 'repayment')

  await fallTo(day, '40500', 3, 1)
  await letDeadlinePass(day, 3)
  await payOff(client, inbox, facilityId)
}

/** Sets a price, shows that it does nothing yet, and waits until it raises or worsens a warning. */
async function fallTo(day: Day, price: string, number: number, tier: number) {
  const { client, inbox, facilityId } = day
  await client.setSandboxPrice('BTC', price)
  const { ltv, health } = await client.getCollateral(facilityId)
  showStep(
    'Price',
    `BTC ${price} ${dim(`(loan-to-value ${ltv}, for less than a minute: ${health})`)}`,
  )
  await client.advanceSandboxClock(CONFIRM_SECONDS)
  await inbox.waitFor('margin_warning.raised', `${facilityId}/${number}`, ({ data }) => {
    return (data as { tier?: unknown }).tier === tier
  })
  const warning = await client.getMarginWarning(facilityId, number)
  showWarning(warning)
  return warning
}

function showWarning(warning: MarginWarning): void {
  const { number, tier, cure_amount_usd, cure_collateral_usd, cure_deadline, if_escalated } =
    warning
  showStep(
    'Warning',
    `${bold(`number ${number}, tier ${tier}`)}, to be cured by ${cure_deadline}`,
    `with ${cure_amount_usd} USD, or ${cure_collateral_usd} USD worth of collateral`,
    dim(`else ${if_escalated?.sale_usd} USD worth is sold`),
  )
}

async function expectCured(day: Day, number: number, by: MarginWarning['cured_by']) {
  const { client, inbox, facilityId } = day
  await inbox.waitFor('margin_warning.cured', `${facilityId}/${number}`)
  const { status, cured_by } = await client.getMarginWarning(facilityId, number)
  if (cured_by !== by) throw new DemoError(`Warning ${number} is ${status} by ${cured_by}.`)
  showStep('Warning', `number ${number} ${good(`cured by ${cured_by}`)}`)
}

async function letDeadlinePass({ client, inbox, facilityId }: Day, number: number) {
  const { now } = await client.advanceSandboxClock(49 * HOUR_SECONDS)
  showStep('Clock', `49 hours on, ${now}: nobody has cured it`)
  await inbox.waitFor('margin_warning.escalated', `${facilityId}/${number}`)
  await inbox.waitFor('margin_call.completed', `${facilityId}/1`)
  const { outcome, sold, costs_usd, allocation } = await client.getMarginCall(facilityId, 1)
  const sales = sold.map(
    ({ asset, quantity, proceeds_usd }) => `${quantity} ${asset} sold for ${proceeds_usd} USD`,
  )
  const { interest, principal } = allocation
  showStep(
    'Margin call',
    `${bold(outcome ?? '')}: ${sales.join(', ')}`,
    `costs ${costs_usd}, interest ${interest.amount}, principal ${principal.amount}`,
  )
  const decisions = await client.listMarginDecisions(facilityId, number)
  showStep(
    'On record',
    decisions.map(({ kind, decided_at }) => `${kind} ${dim(decided_at)}`).join(', '),
  )
}
