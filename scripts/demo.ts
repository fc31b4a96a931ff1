// npm run demo: a loan from signature to repayment, then a day on which bitcoin falls.
import { type Client, createClient } from '../src/client/client.ts'
import { type Credentials, readCredentials } from '../src/svc/credentials.ts'
import { explainFailure } from '../src/svc/explain-failure.ts'
import { startReceiver } from '../src/svc/listen/receiver.ts'
import {
  makeSecret,
  readGivenSecret,
  readKeptSecret,
  readSecretState,
} from '../src/svc/listen/webhook-secret.ts'
import { borrow } from '../src/svc/story/borrow.ts'
import { openInbox } from '../src/svc/story/inbox.ts'
import { liveThroughMarginDay } from '../src/svc/story/margin-day.ts'
import { onboard } from '../src/svc/story/onboard.ts'
import { refuseBesideLoans } from '../src/svc/story/refuse-beside-loans.ts'
import { formatStep, type PrintStep } from '../src/svc/story/stage.ts'
import { StoryError } from '../src/svc/story/story-error.ts'
import { bad, bold, dim, good } from '../src/svc/terminal.ts'

const { LOCAL_DIR } = process.env

const SECRET_CURE =
  'To have signatures verified, pass the secret as SVC_WEBHOOK_SECRET, or have a new one made by npm run svc -- listen --new-secret.'

const printStep: PrintStep = (topic, ...lines) =>
  void process.stdout.write(formatStep(topic, lines))

const interruption = Promise.withResolvers<never>()
// The terminal and npm may both send it; only the first counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interruption.reject(new StoryError('Interrupted.')))
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
try {
  await using cleanup = new AsyncDisposableStack()
  const credentials = readCredentials({}, { LOCAL_DIR })
  await Promise.race([printStory(credentials, cleanup), interruption.promise])
} catch (error) {
  // Cleanup may fail too where the stack is gone; the first error explains it.
  let first = error
  while (first instanceof SuppressedError) first = first.suppressed
  console.error(explainFailure(first).message)
  process.exitCode = 1
}

async function printStory(credentials: Credentials, cleanup: AsyncDisposableStack): Promise<void> {
  const startedAt = performance.now()
  const { baseUrl } = credentials
  const client = createClient({ ...credentials, maxAttempts: 3 })
  console.log(
    `${bold('A tenant onboards a borrower, who borrows and repays')} ${dim(`on ${baseUrl}`)}\n`,
  )
  if (!process.argv.includes('--force')) await refuseBesideLoans(client)
  const secret = await findSecret(client, credentials)

  const inbox = openInbox((_, ...lines) => printStep('Delivery', ...lines))
  const how = secret === undefined ? dim('signature not verified') : good('signature verified')
  const receiver = await startReceiver({ secret }, ({ headers, verdict }) => {
    const about = `attempt ${headers['x-svc-delivery-attempt']}, `
    if (verdict.ok) inbox.accept(verdict.event, how, about)
    else inbox.fail(new StoryError(`A delivery was refused: ${verdict.reason}. ${SECRET_CURE}`))
    return 204
  })
  cleanup.defer(() => receiver.close())
  const webhookId = await client.registerWebhook({ url: receiver.url, label: 'npm run demo' })
  cleanup.defer(() => client.deleteWebhook(webhookId))
  printStep('Webhook', `${webhookId} ${dim(`(posts to ${receiver.url})`)}`)

  const stage = { client, inbox, printStep }
  const borrowerId = await onboard(stage)
  await borrow(stage, borrowerId)

  console.log(
    `\n${bold('A day on which bitcoin falls')} ${dim('by clock and prices of its own')}\n`,
  )
  cleanup.defer(async () => void (await client.setSandboxPrice('BTC', null)))
  await liveThroughMarginDay(stage, borrowerId)

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`\n${good('Done')} in ${seconds} s. ${dim('The webhook is removed again.')}`)
}

/** The given or the kept secret, or the first of this environment. A new one would end that of other receivers:
 * undefined where one is in force that is not known here. */
async function findSecret(client: Client, credentials: Credentials): Promise<string | undefined> {
  const known = readGivenSecret(undefined, process.env)
  const kept = known ?? readKeptSecret(credentials)
  const state = known === undefined ? await readSecretState(client, kept) : 'ours'
  if (state === 'ours') {
    printStep('Secret', `known ${dim('(it signs deliveries; your other receivers go on with it)')}`)
    return kept
  }
  if (state === 'other') {
    printStep(
      'Secret',
      'Deliveries are signed with a secret that is not known here.',
      dim(SECRET_CURE),
    )
    return undefined
  }
  const { secret, note } = await makeSecret(client, credentials)
  printStep('Secret', `created ${dim('(it signs deliveries, and is shown only once)')}`)
  if (note !== undefined) printStep('', bad(note))
  return secret
}
