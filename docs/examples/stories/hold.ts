// The lender puts a facility on hold: deadlines stand still, draws wait, repayments are taken.
import { ProblemError } from '../../../src/client/index.ts'
import {
  CONFIRMED_SECONDS,
  openFacility,
  requestDraw,
  run,
  type Story,
  settle,
  waitFor,
} from './story.ts'

const DAY_SECONDS = 86_400

export async function reportHold(story: Story): Promise<void> {
  const { client, print } = story
  print('A loan of 48,000 dollars over one bitcoin, which falls to 68,000')
  const facilityId = await openFacility(story)
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '48000.00'))
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.raised', `${facilityId}/1`)

  print('The lender puts the facility on hold, and does not say why')
  await client.setSandboxHold(facilityId, true)
  await waitFor(story, 'facility.held', facilityId)
  const { on_hold: hold } = await client.getFacility(facilityId)
  print(`  on hold since ${hold?.since}`)
  const refusal = await requestDraw(story, facilityId, '1.00').catch((error: unknown) => error)
  if (refusal instanceof ProblemError) print(`  a draw is refused: ${refusal.code}`)

  print('Thirty days on: nothing was sold')
  await client.advanceSandboxClock(30 * DAY_SECONDS)
  const { status, extended_seconds } = await client.getMarginWarning(facilityId, 1)
  print(`  the warning is ${status}, its deadline stood still for ${extended_seconds} s`)

  print('The hold is lifted')
  await client.setSandboxHold(facilityId, false)
  await waitFor(story, 'facility.released', facilityId)

  print('The price is back, and the rest is paid off')
  await client.setSandboxPrice('BTC', null)
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.cured', `${facilityId}/1`)
  await settle(story, facilityId)
}

if (import.meta.main) await run(reportHold)
