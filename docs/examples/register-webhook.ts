// Registers a URL for all events, replacing its earlier registration, and prints the signing secret:
// npx node docs/examples/register-webhook.ts http://127.0.0.1:9000/
import { createClient } from '../../src/client/index.ts'
import { readCredentials } from '../../src/svc/credentials.ts'
import { explainFailure } from '../../src/svc/explain-failure.ts'
import {
  makeFirstSecret,
  readGivenSecret,
  readKeptSecret,
} from '../../src/svc/listen/webhook-secret.ts'
import { SvcError } from '../../src/svc/svc-error.ts'

async function register(url: string | undefined): Promise<string> {
  if (!url)
    throw new SvcError('usage', 'Pass the URL of your receiver, for example http://127.0.0.1:9000/')
  const { LOCAL_DIR } = process.env
  const credentials = readCredentials({}, { LOCAL_DIR })
  const client = createClient(credentials)
  for (const webhook of await client.listWebhooks()) {
    if (webhook.url === url) await client.deleteWebhook(webhook.id)
  }
  // A secret is shown once, and a new one replaces it for every receiver. So it is stored, also for
  // npm run svc -- listen.
  const given = readGivenSecret(undefined, process.env)
  const kept = given ?? readKeptSecret(credentials)
  const { secret, note } = kept ? { secret: kept } : await makeFirstSecret(client, credentials)
  if (note) console.error(note)
  if (kept && !given) {
    console.error('Using the stored secret. npm run svc -- listen --new-secret makes a new one.')
  }
  console.error(`${await client.registerWebhook({ url })} posts every event to ${url}`)
  return secret
}

try {
  console.log(await register(process.argv[2]))
} catch (error) {
  console.error(explainFailure(error).message)
  process.exitCode = 1
}
