// Pushes that are not true: the custodian has the last word.
import { setTimeout } from 'node:timers/promises'
import {
  CONFIRMED_SECONDS,
  openFacility,
  pushBitcoin,
  requestDraw,
  run,
  type Story,
  settle,
  waitFor,
} from './story.ts'

const LATE_SECONDS = 600
const POLL_MS = 200

export async function reportCustody(story: Story): Promise<void> {
  const { client, print } = story
  print('A loan of 48,000 dollars over one bitcoin worth 100,000')
  const facilityId = await openFacility(story)
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '48000.00'))
  const { borrower_id: borrowerId } = await client.getFacility(facilityId)
  const bitcoin = [{ asset: 'BTC', quantity: '1' }]

  print('An empty portfolio is pushed, and the custodian still holds the bitcoin')
  await client.setSandboxCustodianPositions(borrowerId, bitcoin)
  const { now } = await client.getSandboxClock()
  await client.putPortfolio(borrowerId, { as_of: now, positions: [] })
  const { health, collateral_value_usd: value } = await untilAnswered(story, facilityId)
  print(`  ${health}, collateral of ${value}`)

  print('It hides no fall of the price')
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.raised', `${facilityId}/1`)

  print('Five bitcoins are pushed, and the custodian still holds one: the warning stays open')
  await pushBitcoin(story, borrowerId, '5')
  const { status, cure_amount_usd: cure } = await untilOneCounts(story, facilityId)
  print(`  ${status}, to be cured with ${cure}`)
  await client.setSandboxPrice('BTC', null)
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.cured', `${facilityId}/1`)

  print('A tenth is pushed, and the custodian takes ten minutes: after one, the push stands')
  await client.setSandboxPrice('BTC', '71000')
  await client.setSandboxCustodianPositions(borrowerId, bitcoin, { lateSeconds: LATE_SECONDS })
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await pushBitcoin(story, borrowerId, '0.1')
  await untilWarned(story, facilityId)
  await waitFor(story, 'margin_warning.raised', `${facilityId}/2`)

  print('It answers that the bitcoin is there: the warning should never have been')
  await client.advanceSandboxClock(LATE_SECONDS)
  await waitFor(story, 'margin_warning.cured', `${facilityId}/2`)

  print('The loan is paid off')
  await client.setSandboxCustodianPositions(borrowerId, null)
  await client.setSandboxPrice('BTC', null)
  await settle(story, facilityId)
}

/** What the custodian has answered counts: until then, the empty push does. */
async function untilAnswered({ client }: Story, facilityId: string) {
  for (;;) {
    const collateral = await client.getCollateral(facilityId)
    if (collateral.collateral_value_usd !== '0.00') return collateral
    await setTimeout(POLL_MS)
  }
}

/** Of the push and what the custodian holds the smaller counts towards a cure: one bitcoin. */
async function untilOneCounts({ client }: Story, facilityId: string) {
  const { cure_amount_usd: before } = await client.getMarginWarning(facilityId, 1)
  for (;;) {
    const warning = await client.getMarginWarning(facilityId, 1)
    if (Number(warning.cure_amount_usd) < Number(before) / 2) return warning
    await setTimeout(POLL_MS)
  }
}

/** The minute counts from the question, which the worker asks a moment after the push. */
async function untilWarned({ client }: Story, facilityId: string): Promise<void> {
  for (;;) {
    await client.advanceSandboxClock(CONFIRMED_SECONDS)
    const { items: warnings } = await client.listMarginWarnings(facilityId)
    if (warnings.length > 1) return
    await setTimeout(POLL_MS)
  }
}

if (import.meta.main) await run(reportCustody)
