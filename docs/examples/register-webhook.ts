// Sends your events to a URL, in place of an earlier registration of it, and prints the secret that
// signs them from now on: node docs/examples/register-webhook.ts http://127.0.0.1:9000/
import { readFileSync, writeFileSync } from 'node:fs'
import { createClient } from '../../src/client/index.ts'

const [url] = process.argv.slice(2)
if (!url) throw new Error('Say where the events are to go, such as http://127.0.0.1:9000/')

const { LOCAL_DIR = '.local' } = process.env
const sandbox = JSON.parse(readFileSync(`${LOCAL_DIR}/sandbox.json`, 'utf8'))
const client = createClient({
  baseUrl: sandbox.base_url,
  keyId: sandbox.key_id,
  privateKeyPem: sandbox.private_key_pem,
})

for (const webhook of await client.listWebhooks()) {
  if (webhook.url === url) await client.deleteWebhook(webhook.id)
}
console.error(`${await client.registerWebhook({ url })} posts every event to ${url}`)
const secret = await client.createSigningSecret()
// It is shown only now: kept for npm run svc -- listen, which would make another in its place.
const kept = { base_url: sandbox.base_url, key_id: sandbox.key_id, secret }
writeFileSync(`${LOCAL_DIR}/webhook-secret.json`, JSON.stringify(kept), { mode: 0o600 })
console.log(`WEBHOOK_SECRET=${secret}`)
