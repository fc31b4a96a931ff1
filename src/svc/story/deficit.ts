import { bold, dim } from '../terminal.ts'
import { drawMoney, openFacility, repay } from './borrow.ts'
import type { Stage } from './stage.ts'
import { StoryError } from './story-error.ts'

const DAY_SECONDS = 86_400

/** A price decides after it has held for a minute. */
const CONFIRM_SECONDS = 61

/** The collateral does not cover the debt: the rest is charged off, and recovered later. */
export async function liveThroughDeficit(stage: Stage, borrowerId: string): Promise<void> {
  const { client, printStep } = stage
  const facilityId = await openFacility(stage, borrowerId, '48000.00')
  await drawMoney(stage, facilityId, '48000.00')
  await sellAll(stage, facilityId)
  const deficit = await showChargeOff(stage, facilityId)

  const { now } = await client.advanceSandboxClock(90 * DAY_SECONDS)
  printStep('Clock', `90 days on, ${now}: money comes, and no interest has run`)
  await repay(stage, facilityId, { amount: '5000.00' })
  await showChargeOff(stage, facilityId)

  await repay(stage, facilityId, { amount: addCents(deficit, -4_900_00n) })
  const recovered = await showChargeOff(stage, facilityId, 'recovered')
  if (recovered !== deficit) throw new StoryError(`${recovered} of ${deficit} are recovered.`)
}

async function sellAll({ client, inbox, printStep }: Stage, facilityId: string): Promise<void> {
  await client.setSandboxPrice('BTC', '40000')
  printStep('Price', `BTC 40000: the collateral is worth less than the debt`)
  await client.advanceSandboxClock(CONFIRM_SECONDS)
  await inbox.waitFor('margin_call.completed', `${facilityId}/1`)
  const { outcome, costs_usd, deficit_usd } = await client.getMarginCall(facilityId, 1)
  printStep('Margin call', `${bold(outcome ?? '')}: costs ${costs_usd}, ${deficit_usd} are left`)
  await inbox.waitFor('facility.closed', facilityId)
}

/** Returns what was charged off, or what of it is recovered, in dollars. */
async function showChargeOff(
  { client, printStep }: Stage,
  facilityId: string,
  part: 'all' | 'recovered' = 'all',
): Promise<string> {
  const { state, charged_off: chargedOff } = await client.getFacility(facilityId)
  if (!chargedOff) throw new StoryError(`${facilityId} is ${state}, and nothing is charged off.`)
  const { principal, interest, recovered } = chargedOff
  const all = addCents(principal, toCents(interest))
  printStep(
    'Charged off',
    `${bold(all)} ${dim(`(principal ${principal}, interest ${interest})`)}, recovered ${recovered}`,
  )
  return part === 'all' ? all : recovered
}

const toCents = (dollars: string) => BigInt(dollars.replace('.', ''))

function addCents(dollars: string, cents: bigint): string {
  const digits = String(toCents(dollars) + cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
