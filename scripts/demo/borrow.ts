import { randomUUID } from 'node:crypto'
import type { Client } from '../../src/client/client.ts'
import type { Amount, Facility, Repayment } from '../../src/client/resources.ts'
import { DemoError } from './demo-error.ts'
import type { Inbox } from './inbox.ts'
import { dim, good, showStep } from './terminal.ts'

const DAY_SECONDS = 86_400
const dollars = (amount: string): Amount => ({ amount, asset: 'USD' })

/** An eligible borrower's loan from the portfolio to the release of the lien. */
export async function borrow(client: Client, inbox: Inbox, borrowerId: string): Promise<void> {
  const facilityId = await openFacility(client, inbox, borrowerId, '40000.00')
  await drawMoney(client, inbox, facilityId, '20000.00')

  const { now } = await client.advanceSandboxClock(10 * DAY_SECONDS)
  showStep('Clock', `10 days on, ${now}`)
  await showDebt(client, facilityId)

  await repay(client, inbox, facilityId, { amount: '5000.00' })
  await payOff(client, inbox, facilityId)
}

/** Repays what is owed, and has the lien released. */
export async function payOff(client: Client, inbox: Inbox, facilityId: string): Promise<void> {
  const { outstanding } = await showDebt(client, facilityId)
  await repay(client, inbox, facilityId, { amount: outstanding.total })

  await client.closeFacility(facilityId)
  showStep('Close', `${facilityId} ${dim('(the custodian is asked to release the lien)')}`)
  await inbox.waitFor('facility.closed', facilityId)
  const { state } = await showDebt(client, facilityId)
  if (state !== 'CLOSED') throw new DemoError(`${facilityId} reads back as ${state}.`)
}

/** An approved facility with this limit over one bitcoin. */
export async function openFacility(
  client: Client,
  inbox: Inbox,
  borrowerId: string,
  limit: string,
): Promise<string> {
  await pushBitcoin(client, borrowerId, '1')
  const { id, collateral_value_usd } = await client.createFacility({
    borrower_id: borrowerId,
    limit: dollars(limit),
  })
  showStep('Facility', `${id}, ${limit} USD over collateral of ${collateral_value_usd}`)
  await inbox.waitFor('facility.decisioned', id)
  const { state } = await client.getFacility(id)
  if (state !== 'APPROVED') throw new DemoError(`${id} reads back as ${state}.`)
  return id
}

/** What the borrower holds, as of the tenant's own time: the sandbox clock may be days ahead. */
export async function pushBitcoin(
  client: Client,
  borrowerId: string,
  quantity: string,
): Promise<void> {
  const { now } = await client.getSandboxClock()
  await client.putPortfolio(borrowerId, { as_of: now, positions: [{ asset: 'BTC', quantity }] })
  showStep('Portfolio', `${quantity} BTC at the custodian`)
}

export async function drawMoney(
  client: Client,
  inbox: Inbox,
  facilityId: string,
  amount: string,
): Promise<void> {
  const wanted = { ...dollars(amount), destination: 'account-4711' }
  const { id } = await client.requestDraw(facilityId, wanted)
  showStep('Draw', `${id}, ${amount} USD ${dim('(reserved; paid once the floor is raised)')}`)
  await inbox.waitFor('draw.completed', id)
}

/** Announces, moves and reports dollars; as the cure of a warning where one is named. */
export async function repay(
  client: Client,
  inbox: Inbox,
  facilityId: string,
  { amount, cureOf }: { amount: string; cureOf?: number },
): Promise<void> {
  const announced = await client.createRepayment(facilityId, {
    ...dollars(amount),
    ...(cureOf !== undefined && { margin_warning_number: cureOf }),
  })
  const { id, instructions } = announced
  const steps = instructions.map(
    (step) =>
      `${step.operation} ${step.amount} ${step.asset} from ${step.source} to ${step.destination}`,
  )
  showStep('Repayment', id, ...steps)
  const reference = `wire-${randomUUID()}`
  await client.reportExecution(facilityId, id, {
    status: 'completed',
    delivered: dollars(amount),
    reference,
  })
  showStep('Report', `completed under ${reference}`)
  await inbox.waitFor('repayment.applied', id)
  showWaterfall(await client.getRepayment(facilityId, id))
}

function showWaterfall({ allocation }: Repayment): void {
  if (!allocation) throw new DemoError('An applied repayment does not tell where it went.')
  const { interest, principal, refund_due } = allocation
  showStep(
    'Waterfall',
    `interest ${interest.amount}, principal ${principal.amount}, back ${refund_due.amount}`,
  )
}

export async function showDebt(client: Client, facilityId: string): Promise<Facility> {
  const facility = await client.getFacility(facilityId)
  const { state, outstanding, ltv, custodian_floor_usd: floor } = facility
  const { principal, interest, total } = outstanding
  showStep(
    'Facility',
    `${good(state)}, owes ${total} ${dim(`(principal ${principal}, interest ${interest})`)}`,
    dim(`loan-to-value ${ltv}, floor at the custodian ${floor}`),
  )
  return facility
}
