// A payment that is refused, and a repayment that never arrives.
import { openFacility, repay, requestDraw, run, type Story, settle, waitFor } from './story.ts'

export async function reportPayments(story: Story): Promise<void> {
  const { client, print } = story
  print('A facility of 48,000 dollars over one bitcoin')
  const facilityId = await openFacility(story)

  print('The payment of a draw is refused')
  await client.setSandboxPayments('fail')
  await waitFor(story, 'draw.failed', await requestDraw(story, facilityId, '10000.00'))

  print('The next one is paid')
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '10000.00'))

  print('A repayment is reported, and nothing has arrived')
  await client.setSandboxPayments('fail')
  await waitFor(story, 'repayment.failed', await repay(story, facilityId, '2500.00'))

  print('Another one takes some seconds to arrive')
  await client.setSandboxPayments('delay')
  await waitFor(story, 'repayment.applied', await repay(story, facilityId, '2500.00'))

  print('The loan is paid off')
  await settle(story, facilityId)
}

if (import.meta.main) await run(reportPayments)
