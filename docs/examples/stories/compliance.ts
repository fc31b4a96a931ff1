// A borrower whose check goes to review, until you decide it.
import { setTimeout } from 'node:timers/promises'
import { ProblemError } from '../../../src/client/index.ts'
import { createSigned, run, type Story, waitFor } from './story.ts'

export async function reportCompliance(story: Story): Promise<void> {
  const { client, print } = story
  print('A borrower signs as ada+review@example.com, so the identity check goes to review')
  const borrowerId = await createSigned(story, 'ada+review@example.com')

  print('It passes the review')
  const { decided } = await decide(story, borrowerId)
  print(`  ${decided} check decided`)
  await waitFor(story, 'borrower.eligible', borrowerId)
  const { eligible } = await client.getBorrower(borrowerId)
  print(`  eligible: ${eligible}`)
}

/** Checks begin in the background; until then there is none to decide, and that is `not_found`. */
async function decide({ client }: Story, borrowerId: string) {
  for (;;) {
    try {
      return await client.setSandboxCompliance(borrowerId, 'pass')
    } catch (error) {
      if (!(error instanceof ProblemError) || !error.is('not_found')) throw error
      await setTimeout(200)
    }
  }
}

if (import.meta.main) await run(reportCompliance)
