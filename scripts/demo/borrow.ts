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
  const facilityId = await openFacility(client, inbox, borrowerId)
  await drawMoney(client, inbox, facilityId)

  const { now } = await client.advanceSandboxClock(10 * DAY_SECONDS)
  showStep('Clock', `10 days on, ${now}`)
  await showDebt(client, facilityId)

  await repay(client, inbox, facilityId, '5000.00')
  const { outstanding } = await showDebt(client, facilityId)
  await repay(client, inbox, facilityId, outstanding.total)

  await client.closeFacility(facilityId)
  showStep('Close', `${facilityId} ${dim('(the custodian is asked to release the lien)')}`)
  await inbox.waitFor('facility.closed', facilityId)
  const { state } = await showDebt(client, facilityId)
  if (state !== 'CLOSED') throw new DemoError(`${facilityId} reads back as ${state}.`)
}

async function openFacility(client: Client, inbox: Inbox, borrowerId: string): Promise<string> {
  const positions = [{ asset: 'BTC', quantity: '1' }]
  await client.putPortfolio(borrowerId, { as_of: new Date().toISOString(), positions })
  showStep('Portfolio', '1 BTC at the custodian')

  const limit = dollars('40000.00')
  const { id, collateral_value_usd } = await client.createFacility({
    borrower_id: borrowerId,
    limit,
  })
  showStep('Facility', `${id}, 40,000.00 USD over collateral of ${collateral_value_usd}`)
  await inbox.waitFor('facility.decisioned', id)
  const { state } = await client.getFacility(id)
  if (state !== 'APPROVED') throw new DemoError(`${id} reads back as ${state}.`)
  return id
}

async function drawMoney(client: Client, inbox: Inbox, facilityId: string): Promise<void> {
  const wanted = { ...dollars('20000.00'), destination: 'account-4711' }
  const { id } = await client.requestDraw(facilityId, wanted)
  showStep('Draw', `${id}, 20,000.00 USD ${dim('(reserved; paid once the floor is raised)')}`)
  await inbox.waitFor('draw.completed', id)
}

async function repay(
  client: Client,
  inbox: Inbox,
  facilityId: string,
  amount: string,
): Promise<void> {
  const announced = await client.createRepayment(facilityId, dollars(amount))
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

async function showDebt(client: Client, facilityId: string): Promise<Facility> {
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
