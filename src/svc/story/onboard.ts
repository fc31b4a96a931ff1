import { dim, good } from '../terminal.ts'
import { StoryError } from './story-error.ts'
import type { Stage } from './tell.ts'

/** A borrower who signs every document and becomes eligible; its id. */
export async function onboard({ client, inbox, tell }: Stage): Promise<string> {
  const documents = await client.listDocuments()
  const titles = documents.map(
    ({ title, contract_type, contract_version }) =>
      `${title} ${dim(`(${contract_type} ${contract_version})`)}`,
  )
  tell('Documents', ...titles)

  const { id, eligible } = await client.createBorrower({
    type: 'individual',
    kyc_attested: true,
    residency_country: 'US',
    residency_state: 'CA',
  })
  inbox.include(id)
  tell('Borrower', `${id} in US-CA, eligible: ${eligible}`)

  for (const { contract_type, contract_version, title } of documents) {
    // Told first: the event may arrive before the answer to the last signature.
    tell('Signature', `Ada Example signs ${title}`)
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
  tell('Borrower', `${id} read back, ${good('eligible: true')}`)
  return id
}
