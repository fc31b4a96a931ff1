// npm run demo: a borrower from the signature to the loan repaid, then a day on which bitcoin falls,
// told through the client library against the running stack.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '../src/client/client.ts'
import { ProblemError, UnreachableError } from '../src/client/problem-error.ts'
import type { ContractDocument } from '../src/client/resources.ts'
import { borrow } from './demo/borrow.ts'
import { DemoError } from './demo/demo-error.ts'
import { openInbox } from './demo/inbox.ts'
import { liveThroughMarginDay } from './demo/margin-day.ts'
import { startReceiver } from './demo/receiver.ts'
import { bold, dim, good, showStep } from './demo/terminal.ts'

type Sandbox = { base_url: string; key_id: string; private_key_pem: string }

const interruption = Promise.withResolvers<never>()
process.once('SIGINT', () => interruption.reject(new DemoError('Interrupted.')))
try {
  await using cleanup = new AsyncDisposableStack()
  await Promise.race([tellStory(readSandbox(), cleanup), interruption.promise])
} catch (error) {
  console.error(describe(error))
  process.exitCode = 1
}

async function tellStory(sandbox: Sandbox, cleanup: AsyncDisposableStack): Promise<void> {
  const startedAt = performance.now()
  const client = createClient({
    baseUrl: sandbox.base_url,
    keyId: sandbox.key_id,
    privateKeyPem: sandbox.private_key_pem,
    maxAttempts: 3,
  })
  console.log(
    `${bold('A tenant onboards a borrower, who borrows and repays')} ${dim(`on ${sandbox.base_url}`)}\n`,
  )

  const secret = await client.createSigningSecret()
  showStep('Secret', `created ${dim('(it signs deliveries, and is shown only once)')}`)

  const inbox = openInbox()
  const receiver = await startReceiver(secret, inbox.receive)
  cleanup.defer(() => receiver.close())
  const webhookId = await client.registerWebhook({ url: receiver.url, label: 'npm run demo' })
  cleanup.defer(() => client.deleteWebhook(webhookId))
  showStep('Webhook', `${webhookId} ${dim(`(posts to ${receiver.url})`)}`)

  const documents = await client.listDocuments()
  const titles = documents.map(
    (document) =>
      `${document.title} ${dim(`(${document.contract_type} ${document.contract_version})`)}`,
  )
  showStep('Documents', ...titles)

  const borrower = await client.createBorrower({
    type: 'individual',
    kyc_attested: true,
    residency_country: 'US',
    residency_state: 'CA',
  })
  showStep('Borrower', `${borrower.id} in US-CA, eligible: ${borrower.eligible}`)

  await Promise.all([
    inbox.waitFor('borrower.eligible', borrower.id),
    signAll(client, borrower.id, documents),
  ])

  const { eligible: isEligible } = await client.getBorrower(borrower.id)
  if (!isEligible) throw new DemoError(`${borrower.id} reads back as not eligible.`)
  showStep('Borrower', `${borrower.id} read back, ${good('eligible: true')}`)

  await borrow(client, inbox, borrower.id)

  console.log(
    `\n${bold('A day on which bitcoin falls')} ${dim('by clock and prices of its own')}\n`,
  )
  cleanup.defer(async () => void (await client.setSandboxPrice('BTC', null)))
  await liveThroughMarginDay(client, inbox, borrower.id)

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`\n${good('Done')} in ${seconds} s. ${dim('The webhook is removed again.')}`)
}

async function signAll(
  client: Client,
  borrowerId: string,
  documents: readonly ContractDocument[],
): Promise<void> {
  for (const { contract_type, contract_version, title } of documents) {
    // Said first: the delivery may arrive before the answer to the last signature.
    showStep('Signature', `Ada Example signs ${title}`)
    await client.submitSignature(borrowerId, {
      full_name: 'Ada Example',
      email: 'ada@example.com',
      ip_address: '203.0.113.7',
      signed_at: new Date().toISOString(),
      contract_type,
      contract_version,
    })
  }
}

function readSandbox(): Sandbox {
  const { LOCAL_DIR = '.local' } = process.env
  const path = join(LOCAL_DIR, 'sandbox.json')
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new DemoError(`There are no credentials in ${path} yet. Start the stack with npm start.`)
  }
}

function describe(error: unknown): unknown {
  // Cleaning up failed too, as it will when the stack went away: what came first is what to say.
  if (error instanceof SuppressedError) return describe(error.suppressed)
  if (error instanceof DemoError) return error.message
  if (error instanceof UnreachableError) return `${error.message} Start the stack with npm start.`
  if (error instanceof ProblemError)
    return `The service refused: ${error.message} (${error.requestId})`
  return error
}
