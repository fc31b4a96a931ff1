// Interest accrues and a deadline passes, within seconds.
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

export async function reportClock(story: Story): Promise<void> {
  const { client, print } = story
  print('A loan of 48,000 dollars over one bitcoin worth 100,000')
  const facilityId = await openFacility(story)
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '48000.00'))

  print('Thirty days on')
  const { now } = await client.advanceSandboxClock(30 * DAY_SECONDS)
  const { outstanding } = await client.getFacility(facilityId)
  print(`  ${now}: ${outstanding.interest} of interest is owed`)

  print('Bitcoin falls to 68,000, and stays there')
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.raised', `${facilityId}/1`)

  print('Three days on: the warning is not cured')
  await client.advanceSandboxClock(3 * DAY_SECONDS)
  await waitFor(story, 'margin_warning.escalated', `${facilityId}/1`)
  await waitFor(story, 'margin_call.started', `${facilityId}/1`)
  await waitFor(story, 'margin_call.completed', `${facilityId}/1`)

  print('The rest is paid off')
  await client.setSandboxPrice('BTC', null)
  await settle(story, facilityId)
}

if (import.meta.main) await run(reportClock)
