import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SvcError } from './svc-error.ts'
import type { SvcIo } from './svc-io.ts'

export type CredentialOptions = {
  credentials?: string
  baseUrl?: string
  keyId?: string
  keyFile?: string
}

export type Credentials = {
  baseUrl: string
  keyId: string
  privateKeyPem: string
  /** Of the credentials file, where they come from one. */
  folder: string | undefined
}

/** Each from its option, else its SVC_ variable, else `sandbox.json` in `LOCAL_DIR`. */
export function readCredentials(options: CredentialOptions, env: SvcIo['env']): Credentials {
  const { SVC_BASE_URL, SVC_KEY_ID, SVC_PRIVATE_KEY, SVC_PRIVATE_KEY_FILE, LOCAL_DIR } = env
  const { baseUrl = SVC_BASE_URL, keyId = SVC_KEY_ID, keyFile = SVC_PRIVATE_KEY_FILE } = options
  const privateKeyPem = keyFile === undefined ? SVC_PRIVATE_KEY : readText(keyFile, 'the key')
  if (baseUrl !== undefined && keyId !== undefined && privateKeyPem !== undefined) {
    return { baseUrl: checkUrl(baseUrl), keyId, privateKeyPem, folder: undefined }
  }
  const path = options.credentials ?? join(LOCAL_DIR ?? '.local', 'sandbox.json')
  // The service would refuse one key's id with another key's secret, and could not say why.
  if ((keyId === undefined) !== (privateKeyPem === undefined)) {
    throw new SvcError('credentials', 'A key id and its private key go together: give both.')
  }
  const file = readFileCredentials(path)
  return {
    baseUrl: checkUrl(baseUrl ?? file.baseUrl),
    keyId: keyId ?? file.keyId,
    privateKeyPem: privateKeyPem ?? file.privateKeyPem,
    folder: dirname(path),
  }
}

/** From `stories.json` in `LOCAL_DIR`; undefined without it, or where the user gave others. */
export function readStoryCredentials(
  options: CredentialOptions,
  env: SvcIo['env'],
): Credentials | undefined {
  const { SVC_BASE_URL, SVC_KEY_ID, LOCAL_DIR } = env
  const { credentials, baseUrl = SVC_BASE_URL, keyId = SVC_KEY_ID } = options
  const path = join(LOCAL_DIR ?? '.local', 'stories.json')
  const isGiven = [credentials, baseUrl, keyId].some((given) => given !== undefined)
  return isGiven || !existsSync(path) ? undefined : readCredentials({ credentials: path }, env)
}

function readFileCredentials(path: string): Omit<Credentials, 'folder'> {
  const text = readText(path, 'credentials')
  try {
    const { base_url: baseUrl, key_id: keyId, private_key_pem: privateKeyPem } = JSON.parse(text)
    if ([baseUrl, keyId, privateKeyPem].every((member) => typeof member === 'string')) {
      return { baseUrl, keyId, privateKeyPem }
    }
  } catch {
    // Reported below.
  }
  const members = 'base_url, key_id and private_key_pem'
  throw new SvcError('credentials', `${path} does not hold credentials: ${members}.`)
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    const cure =
      'Start the local stack with npm start, or set SVC_BASE_URL, SVC_KEY_ID and SVC_PRIVATE_KEY_FILE.'
    throw new SvcError('credentials', `${path} cannot be read for ${what}. ${cure}`)
  }
}

function checkUrl(baseUrl: string): string {
  if (/^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl)) return baseUrl
  throw new SvcError('credentials', `The base URL is not an address: ${baseUrl}.`)
}
