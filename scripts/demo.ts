// npm run demo: a borrower from the signature to the loan repaid, then a day on which bitcoin falls,
// told through the client library against the running stack.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../src/client/client.ts'
import { ProblemError, UnreachableError } from '../src/client/problem-error.ts'
import { startReceiver } from '../src/svc/listen/receiver.ts'
import { keepSecret } from '../src/svc/listen/webhook-secret.ts'
import { borrow } from '../src/svc/story/borrow.ts'
import { openInbox } from '../src/svc/story/inbox.ts'
import { liveThroughMarginDay } from '../src/svc/story/margin-day.ts'
import { onboard } from '../src/svc/story/onboard.ts'
import { StoryError } from '../src/svc/story/story-error.ts'
import { formatStep, type Tell } from '../src/svc/story/tell.ts'
import { bold, dim, good } from '../src/svc/terminal.ts'

type Sandbox = { base_url: string; key_id: string; private_key_pem: string }

const { LOCAL_DIR = '.local' } = process.env

const tell: Tell = (topic, ...lines) => void process.stdout.write(formatStep(topic, lines))

const interruption = Promise.withResolvers<never>()
process.once('SIGINT', () => interruption.reject(new StoryError('Interrupted.')))
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
  // For npm run svc -- listen, which the old one would serve no more.
  keepSecret({ folder: LOCAL_DIR, baseUrl: sandbox.base_url, keyId: sandbox.key_id }, secret)
  tell('Secret', `created ${dim('(it signs deliveries, and is shown only once)')}`)

  const inbox = openInbox(tell)
  const receiver = await startReceiver({ secret }, ({ headers, verdict }) => {
    const about = `attempt ${headers['x-svc-delivery-attempt']}, `
    if (verdict.ok) inbox.accept(verdict.event, good('signature verified'), about)
    else tell('Delivery', `refused: ${verdict.reason}`)
    return 204
  })
  cleanup.defer(() => receiver.close())
  const webhookId = await client.registerWebhook({ url: receiver.url, label: 'npm run demo' })
  cleanup.defer(() => client.deleteWebhook(webhookId))
  tell('Webhook', `${webhookId} ${dim(`(posts to ${receiver.url})`)}`)

  const stage = { client, inbox, tell }
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

function readSandbox(): Sandbox {
  const path = join(LOCAL_DIR, 'sandbox.json')
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new StoryError(`There are no credentials in ${path} yet. Start the stack with npm start.`)
  }
}

function describe(error: unknown): unknown {
  // Cleaning up failed too, as it will when the stack went away: what came first is what to say.
  if (error instanceof SuppressedError) return describe(error.suppressed)
  if (error instanceof StoryError) return error.message
  if (error instanceof UnreachableError) return `${error.message} Start the stack with npm start.`
  if (error instanceof ProblemError)
    return `The service refused: ${error.message} (${error.requestId})`
  return error
}
