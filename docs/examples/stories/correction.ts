// The lender corrects a loan: a credit clears a warning, and interest is waived before it is paid off.
import {
  CONFIRMED_SECONDS,
  dollars,
  openFacility,
  requestDraw,
  run,
  type Story,
  settle,
  waitFor,
} from './story.ts'

const DAY_SECONDS = 86_400

export async function reportCorrection(story: Story): Promise<void> {
  const { client, print } = story
  print('A loan of 48,000 dollars over one bitcoin, which falls to 68,000')
  const facilityId = await openFacility(story)
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '48000.00'))
  await client.setSandboxPrice('BTC', '68000')
  await client.advanceSandboxClock(CONFIRMED_SECONDS)
  await waitFor(story, 'margin_warning.raised', `${facilityId}/1`)

  print('It was a double payment of the lender: 20,000 of principal are credited')
  await client.correctSandboxFacility(facilityId, { kind: 'credit', amount: dollars('20000.00') })
  await waitFor(story, 'facility.corrected', facilityId)
  await waitFor(story, 'margin_warning.cured', `${facilityId}/1`)

  print('Thirty days on, a part of the interest is waived')
  await client.advanceSandboxClock(30 * DAY_SECONDS)
  const before = (await client.getFacility(facilityId)).outstanding
  await client.correctSandboxFacility(facilityId, {
    ...{ kind: 'waive_interest', amount: dollars('100.00') },
  })
  const after = (await client.getFacility(facilityId)).outstanding
  print(`  interest was ${before.interest}, and is ${after.interest}`)
  await settle(story, facilityId)
}

if (import.meta.main) await run(reportCorrection)
