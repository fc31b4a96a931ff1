// A price falls, and a warning is raised; the price comes back, and the warning is cured.
import {
  CONFIRMED_SECONDS,
  openFacility,
  requestDraw,
  run,
  type Story,
  settle,
  waitFor,
} from './story.ts'

export async function reportPrice(story: Story): Promise<void> {
  const { client, print } = story
  print('A loan of 48,000 dollars over one bitcoin worth 100,000')
  const facilityId = await openFacility(story)
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '48000.00'))

  print('Bitcoin falls to 68,000: for a minute, nothing happens')
  await client.setSandboxPrice('BTC', '68000')
  const { ltv, health } = await client.getCollateral(facilityId)
  print(`  loan-to-value ${ltv}, ${health}`)

  print('It stays there')
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.raised', `${facilityId}/1`)

  print('It returns to the market, and stays')
  await client.setSandboxPrice('BTC', null)
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.cured', `${facilityId}/1`)

  print('The loan is paid off')
  await settle(story, facilityId)
}

if (import.meta.main) await run(reportPrice)
