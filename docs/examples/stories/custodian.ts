// A custodian that refuses to raise the floor, and one that takes its time.
import { openFacility, requestDraw, run, type Story, settle, waitFor } from './story.ts'

export async function reportCustodian(story: Story): Promise<void> {
  const { client, print } = story
  print('A facility of 48,000 dollars over one bitcoin')
  const facilityId = await openFacility(story)

  print('The custodian refuses the floor that a draw needs: the draw fails and nothing is reserved')
  await client.setSandboxCustodian('fail')
  await waitFor(story, 'draw.failed', await requestDraw(story, facilityId, '10000.00'))
  const { outstanding } = await client.getFacility(facilityId)
  print(`  reserved ${outstanding.reserved}`)

  print('It answers the next one after some seconds: the draw waits for it')
  await client.setSandboxCustodian('delay')
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '10000.00'))

  print('The loan is paid off')
  await settle(story, facilityId)
}

if (import.meta.main) await run(reportCustodian)
