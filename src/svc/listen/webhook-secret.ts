import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../client/client.ts'
import { ProblemError } from '../../client/problem-error.ts'
import type { Credentials } from '../credentials.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'
import { readActiveWebhooks } from '../webhooks.ts'
import { startReceiver } from './receiver.ts'

type SecretOwner = Pick<Credentials, 'folder' | 'baseUrl' | 'keyId'>

const FILE = 'webhook-secret.json'

/** Known to this command alone. */
export function newLocalSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** From the option or SVC_WEBHOOK_SECRET, if given. Throws SvcError for an invalid one. */
export function readGivenSecret(
  option: string | undefined,
  { SVC_WEBHOOK_SECRET: ours }: SvcIo['env'],
): string | undefined {
  const given = option ?? ours
  if (given === undefined || /^whsec_\S+$/.test(given)) return given
  const where = option === undefined ? 'SVC_WEBHOOK_SECRET' : '--secret'
  throw new SvcError('usage', `${where} takes a signing secret, which begins with whsec_.`)
}

export function readKeptSecret({ folder, baseUrl, keyId }: SecretOwner): string | undefined {
  if (folder === undefined) return undefined
  try {
    const kept = JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
    const isOurs = kept.base_url === baseUrl && kept.key_id === keyId
    return isOurs && typeof kept.secret === 'string' ? kept.secret : undefined
  } catch {
    return undefined
  }
}

/** Stores a new secret, which ends the old one at once; `note` warns about other receivers. */
export async function makeSecret(
  client: Client,
  owner: SecretOwner,
): Promise<{ secret: string; note: string | undefined }> {
  const others = await readActiveWebhooks(client)
  const secret = await client.createSigningSecret()
  keepSecret(owner, secret)
  if (others.length === 0) return { secret, note: undefined }
  const urls = others.map(({ url }) => url).join(', ')
  const note = `The signing secret is replaced: give the new one to what receives at ${urls}`
  return { secret, note }
}

/** Refuses, if a secret is in force that is not known here: a new one would end it for every receiver. */
export async function makeFirstSecret(
  client: Client,
  owner: SecretOwner,
): ReturnType<typeof makeSecret> {
  if ((await readSecretState(client, undefined)) === 'other') throw unknownSecret()
  return await makeSecret(client, owner)
}

export const unknownSecret = () =>
  new SvcError(
    'secret',
    'Pass your signing secret as --secret or SVC_WEBHOOK_SECRET. listen --new-secret makes one, and every other receiver of this environment must know it at once.',
  )

/** `none`: the environment has no signing secret. `other`: it has one that is not the given one. */
export type SecretState = 'ours' | 'other' | 'none'

/** Tries with a simulated delivery. Where none arrives, or the stack simulates none, the given one is ours. */
export async function readSecretState(
  client: Client,
  secret: string | undefined,
): Promise<SecretState> {
  let state: SecretState = secret === undefined ? 'none' : 'ours'
  const trial = { secret: secret ?? newLocalSecret() }
  const receiver = await startReceiver(trial, ({ verdict }) => {
    if (!verdict.ok && verdict.reason === 'signature_mismatch') state = 'other'
    if (!verdict.ok && verdict.reason === 'missing_signature') state = 'none'
    return 204
  })
  try {
    const webhookId = await client.registerWebhook({
      url: receiver.url,
      label: 'tries the signing secret',
      event_types: ['facility.closed'],
    })
    const data = { facility_id: 'fac_of_a_trial', reason: 'repaid' }
    try {
      await client
        .simulateDelivery({ webhook_id: webhookId, event_type: 'facility.closed', data })
        .catch((error: unknown) => {
          if (!(error instanceof ProblemError && error.is('sandbox_only'))) throw error
        })
    } finally {
      await client.deleteWebhook(webhookId)
    }
  } finally {
    receiver.close()
  }
  return state
}

/** Stored for its owner only, because the service shows it once. */
function keepSecret({ folder, baseUrl, keyId }: SecretOwner, secret: string): void {
  if (folder === undefined) return
  const path = join(folder, FILE)
  const content = { base_url: baseUrl, key_id: keyId, secret }
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  chmodSync(path, 0o600)
}
