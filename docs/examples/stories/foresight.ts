// Levels show at which price a warning comes, and a preview what would cure it; then both are played.
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

export async function reportForesight(story: Story): Promise<void> {
  const { client, print } = story
  print('A loan of 48,000 dollars over one bitcoin worth 100,000')
  const facilityId = await openFacility(story)
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '48000.00'))

  print('At which price of bitcoin would it be warned about, and sold?')
  const { levels } = await client.getMarginLevels(facilityId)
  for (const { line, fall_percent, prices } of levels) {
    print(`  ${line} at ${prices[0]?.price_usd}, a fall of ${fall_percent} %`)
  }

  print('What if it fell to 68,000, and nothing was done for three days?')
  const fall = [{ asset: 'BTC' as const, price_usd: '68000' }]
  const ends = await client.previewFacility(facilityId, { prices: fall, days: 3 })
  print(`  ${ends.health}: ${ends.sale?.sale_usd} would be sold, at ${ends.at}`)

  print('It falls to 68,000, and stays there')
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.raised', `${facilityId}/1`)

  print('Would a quarter of a bitcoin cure it?')
  const deposit = [{ asset: 'BTC', quantity: '0.25' }]
  const { health, ltv } = await client.previewFacility(facilityId, { deposit })
  print(`  ${health}, loan-to-value ${ltv}`)

  print('It is deposited')
  const { borrower_id: borrowerId } = await client.getFacility(facilityId)
  await pushBitcoin(story, borrowerId, '1.25')
  await waitFor(story, 'margin_warning.cured', `${facilityId}/1`)

  print('The loan is paid off')
  await client.setSandboxPrice('BTC', null)
  await settle(story, facilityId)
}

if (import.meta.main) await run(reportForesight)
