// What the stories share: credentials, an eligible borrower, a loan, and waiting for an event.
import { randomUUID } from 'node:crypto'
import { type Client, createClient } from '../../../src/client/index.ts'
import { readCredentials } from '../../../src/svc/credentials.ts'
import { explainFailure } from '../../../src/svc/explain-failure.ts'
import { refuseBesideLoans } from '../../../src/svc/story/refuse-beside-loans.ts'
import { StoryError } from '../../../src/svc/story/story-error.ts'

export type Story = { client: Client; print: (text: string) => void }
type Play = (story: Story) => Promise<void>

export const dollars = (amount: string) => ({ amount, asset: 'USD' as const })

/** A price holds for a minute before it can raise or cure a warning. */
export const CONFIRMED_SECONDS = 61

/**
 * Plays a story against the stack whose credentials are in `.local/sandbox.json`; not while another
 * loan of that tenant is open, which its prices and clock would change.
 */
export async function run(play: Play): Promise<void> {
  try {
    const { LOCAL_DIR } = process.env
    const credentials = readCredentials({}, { LOCAL_DIR })
    const client = createClient(credentials)
    if (!process.argv.includes('--force')) await refuseBesideLoans(client)
    await play({ client, print: console.log })
  } catch (error) {
    console.error(explainFailure(error).message)
    process.exitCode = 1
  }
}

/** Reads the event log until the event is there; a minute is time enough. */
export async function waitFor(
  { client, print }: Story,
  type: string,
  resourceId: string,
  matches: (data: Record<string, unknown>) => boolean = () => true,
) {
  const signal = AbortSignal.timeout(60_000)
  try {
    for await (const { event } of client.followEvents({ pollSeconds: 0.5, signal })) {
      if (event.type !== type || event.resource.id !== resourceId || !matches(event.data)) continue
      print(`  ${type} ${JSON.stringify(event.data)}`)
      return event
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  throw new StoryError(`No ${type} of ${resourceId} came within a minute. Is the worker running?`)
}

/** A borrower of California; the tag of the e-mail address chooses how the checks come out. */
export async function createSigned({ client }: Story, email = 'ada@example.com') {
  const { id } = await client.createBorrower({
    type: 'individual',
    kyc_attested: true,
    residency_country: 'US',
    residency_state: 'CA',
  })
  for (const { contract_type, contract_version } of await client.listDocuments()) {
    await client.submitSignature(id, {
      full_name: 'Ada Example',
      email,
      ip_address: '203.0.113.7',
      signed_at: new Date().toISOString(),
      contract_type,
      contract_version,
    })
  }
  return id
}

/** What the borrower holds, by the tenant's own clock, which may be days ahead. */
export async function pushBitcoin({ client }: Story, borrowerId: string, quantity: string) {
  const { now } = await client.getSandboxClock()
  await client.putPortfolio(borrowerId, { as_of: now, positions: [{ asset: 'BTC', quantity }] })
}

/** An approved facility of 48,000 dollars over one bitcoin, at the market's price of 100,000. */
export async function openFacility(story: Story): Promise<string> {
  const { client } = story
  await client.setSandboxPrice('BTC', null)
  const borrowerId = await createSigned(story)
  await waitFor(story, 'borrower.eligible', borrowerId)
  await pushBitcoin(story, borrowerId, '1')
  const limit = dollars('48000.00')
  const { id } = await client.createFacility({ borrower_id: borrowerId, limit })
  await waitFor(story, 'facility.decisioned', id)
  return id
}

export async function requestDraw({ client }: Story, facilityId: string, amount: string) {
  const draw = { ...dollars(amount), destination: 'account-4711' }
  return (await client.requestDraw(facilityId, draw)).id
}

/** Announces a repayment and reports that it was carried out. */
export async function repay({ client }: Story, facilityId: string, amount: string) {
  const { id } = await client.createRepayment(facilityId, dollars(amount))
  const report = { status: 'completed' as const, delivered: dollars(amount) }
  await client.reportExecution(facilityId, id, { ...report, reference: `wire-${randomUUID()}` })
  return id
}

/** Pays off what is owed and has the lien released, so that the next story begins afresh. */
export async function settle(story: Story, facilityId: string): Promise<void> {
  const { outstanding } = await story.client.getFacility(facilityId)
  if (outstanding.total !== '0.00') {
    const repaymentId = await repay(story, facilityId, outstanding.total)
    await waitFor(story, 'repayment.applied', repaymentId)
  }
  await story.client.closeFacility(facilityId)
  await waitFor(story, 'facility.closed', facilityId)
}
