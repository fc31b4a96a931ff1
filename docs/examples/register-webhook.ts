// Sends your events to a URL, in place of an earlier registration of it, and prints the secret that
// signs them: npx node docs/examples/register-webhook.ts http://127.0.0.1:9000/
import { createClient } from '../../src/client/index.ts'
import { readCredentials } from '../../src/svc/credentials.ts'
import { explainFailure } from '../../src/svc/explain-failure.ts'
import { makeSecret, readKeptSecret } from '../../src/svc/listen/webhook-secret.ts'
import { SvcError } from '../../src/svc/svc-error.ts'

async function register(url: string | undefined): Promise<string> {
  if (!url) throw new SvcError('usage', 'Say where events are to go: http://127.0.0.1:9000/')
  const { LOCAL_DIR } = process.env
  const credentials = readCredentials({}, { LOCAL_DIR })
  const client = createClient(credentials)
  for (const webhook of await client.listWebhooks()) {
    if (webhook.url === url) await client.deleteWebhook(webhook.id)
  }
  // It is shown only when it is made, and a new one ends it at once for every receiver: so it is
  // kept, for the next time and for npm run svc -- listen.
  const kept = readKeptSecret(credentials)
  const { secret, note } = kept ? { secret: kept } : await makeSecret(client, credentials)
  if (note) console.error(note)
  if (kept) {
    const path = `${credentials.folder}/webhook-secret.json`
    console.error(`The secret is the kept one; without ${path} a new one is made.`)
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
