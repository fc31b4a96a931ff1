import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../client/client.ts'
import type { Credentials } from '../credentials.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'
import { readActiveWebhooks } from '../webhooks.ts'
import { startReceiver } from './receiver.ts'

/** The key whose secret it is, and the folder with its credentials. */
type Whose = Pick<Credentials, 'folder' | 'baseUrl' | 'keyId'>

const FILE = 'webhook-secret.json'

/** A secret of the form that the service gives, known to this command alone. */
export function newLocalSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/**
 * The signing secret that the user gave, by its option or as SVC_WEBHOOK_SECRET, if any. Throws
 * SvcError for what is none.
 */
export function readGivenSecret(
  option: string | undefined,
  { SVC_WEBHOOK_SECRET: ours }: SvcIo['env'],
): string | undefined {
  const given = option ?? ours
  if (given === undefined || /^whsec_\S+$/.test(given)) return given
  const where = option === undefined ? 'SVC_WEBHOOK_SECRET' : '--secret'
  throw new SvcError('usage', `${where} takes a signing secret, which begins with whsec_.`)
}

/** The signing secret that was kept for this key, if any. */
export function readKeptSecret({ folder, baseUrl, keyId }: Whose): string | undefined {
  if (folder === undefined) return undefined
  try {
    const kept = JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
    const isOurs = kept.base_url === baseUrl && kept.key_id === keyId
    return isOurs && typeof kept.secret === 'string' ? kept.secret : undefined
  } catch {
    return undefined
  }
}

/**
 * A new signing secret, which is kept. It ends the old one at once; `note` says for whose receivers,
 * who would refuse what comes from now on without being told why.
 */
export async function makeSecret(
  client: Client,
  whose: Whose,
): Promise<{ secret: string; note: string | undefined }> {
  const others = await readActiveWebhooks(client)
  const secret = await client.createSigningSecret()
  keepSecret(whose, secret)
  if (others.length === 0) return { secret, note: undefined }
  const urls = others.map(({ url }) => url).join(', ')
  const note = `The signing secret is replaced: give the new one to what receives at ${urls}`
  return { secret, note }
}

/**
 * Whether deliveries are signed with this secret, as a simulated one shows: on the sandbox alone. Also
 * where none arrives, for then nothing is known against it.
 */
export async function isSecretInForce(client: Client, secret: string): Promise<boolean> {
  let isMismatch = false
  const receiver = await startReceiver({ secret }, ({ verdict }) => {
    isMismatch ||= !verdict.ok && verdict.reason === 'signature_mismatch'
    return 204
  })
  try {
    const webhookId = await client.registerWebhook({
      url: receiver.url,
      label: 'tries the signing secret',
      event_types: ['facility.closed'],
    })
    const data = { facility_id: 'fac_of_a_trial', reason: 'repaid' }
    await client
      .simulateDelivery({ webhook_id: webhookId, event_type: 'facility.closed', data })
      .finally(() => client.deleteWebhook(webhookId))
  } finally {
    receiver.close()
  }
  return !isMismatch
}

/** Keeps a signing secret beside the credentials, for its owner's eyes, for it is shown only once. */
function keepSecret({ folder, baseUrl, keyId }: Whose, secret: string): void {
  if (folder === undefined) return
  const path = join(folder, FILE)
  const content = { base_url: baseUrl, key_id: keyId, secret }
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
}
