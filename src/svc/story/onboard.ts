import { dim, good } from '../terminal.ts'
import type { Stage } from './stage.ts'
import { StoryError } from './story-error.ts'

/** Returns the id of an eligible borrower who signed every document. */
export async function onboard({ client, inbox, printStep }: Stage): Promise<string> {
  const documents = await client.listDocuments()
  const titles = documents.map(
    ({ title, contract_type, contract_version }) =>
      `${title} ${dim(`(${contract_type} ${contract_version})`)}`,
  )
  printStep('Documents', ...titles)

  const { id, eligible } = await client.createBorrower({
    type: 'individual',
    kyc_attested: true,
    residency_country: 'US',
    residency_state: 'CA',
  })
  inbox.include(id)
  printStep('Borrower', `${id} in US-CA, eligible: ${eligible}`)

  for (const { contract_type, contract_version, title } of documents) {
    // Printed first, because the event may arrive before the last response.
    printStep('Signature', `Ada Example signs ${title}`)
    await client.submitSignature(id, {
      full_name: 'Ada Example',
      email: 'ada@example.com',
      ip_address: '203.0.113.7',
      signed_at: new Date().toISOString(),
      contract_type,
      contract_version,
    })
  }
  await inbox.waitFor('borrower.eligible', id)

  const { eligible: isEligible } = await client.getBorrower(id)
  if (!isEligible) throw new StoryError(`${id} reads back as not eligible.`)
  printStep('Borrower', `${id} read back, ${good('eligible: true')}`)
  return id
}
