import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Refusal } from '../../core/errors.ts'
import { SCOPES } from '../../core/scopes.ts'
import { listKeys } from '../../domain/auth/keys.ts'
import { generateKeyPair } from '../../domain/auth/public-key.ts'
import { REGISTER_KEY, REVOKE_KEY } from '../../domain/operators/acts/access-acts.ts'
import { messageOf } from '../../local/local-failure.ts'
import type { ChangeSession } from '../command/change.ts'
import { act, type CliCommand, change, list } from '../command/commands.ts'
import { MAY_REASON, TENANT } from '../command/members.ts'
import { readScopes, readTimestamp } from '../command/options.ts'
import { type Answer, formatAnswer } from '../command/output.ts'
import { type Given, optional, required, withDefault } from '../command/parameters.ts'

const NEW_KEY = {
  reason: MAY_REASON,
  tenantId: TENANT,
  scopes: withDefault(
    optional('--scopes <list>', 'scopes separated by commas, or all', readScopes),
    SCOPES,
    'all',
  ),
  label: withDefault(optional('--label <text>', 'a name for the key'), '', 'none'),
  expiresAt: optional('--expires <timestamp>', 'when the key stops working, in UTC', readTimestamp),
}

export const KEY_COMMANDS: CliCommand[] = [
  change({
    name: 'keys generate',
    about:
      'Make a key pair and register its public key. The private key is printed or written once and stored nowhere else. Two operators, for a tenant that has active keys.',
    examples: [
      'keys generate --tenant ten_… --label "order desk" --out acme.pem',
      'keys generate --tenant ten_… --scopes borrower:read,webhook:read --expires 2027-01-31T00:00:00Z',
    ],
    takes: {
      out: optional('--out <file>', 'write the private key to a new file that only you can read'),
      ...NEW_KEY,
    },
    async change(session, { out, ...key }) {
      const { privateKeyPem, publicKeyPem } = generateKeyPair()
      const file = out === undefined ? undefined : resolve(out)
      // Written first: a registered key without its private key is useless.
      if (file !== undefined) writePrivateKey(file, privateKeyPem)
      try {
        const { data, shown } = await register(session, publicKeyPem, key)
        if (file === undefined) {
          return {
            data: { ...data, private_key_pem: privateKeyPem },
            shown: `${shown}\n\n${privateKeyPem}\nThis private key is shown only now: keep it safe; it cannot be shown again.`,
          }
        }
        return {
          data: { ...data, private_key_file: file },
          shown: `${shown}\n\nThe private key is in ${file} and nowhere else.`,
        }
      } catch (error) {
        if (file !== undefined) rmSync(file, { force: true })
        throw error
      }
    },
  }),
  change({
    name: 'keys register',
    about:
      'Register a public key; the tenant keeps the private key. Two operators, for a tenant that has active keys.',
    examples: [
      'keys register --tenant ten_… --public-key acme.pub.pem --label "order desk"',
      'keys register --tenant ten_… --public-key - < acme.pub.pem',
    ],
    takes: {
      publicKey: required(
        '--public-key <file>',
        'an Ed25519 public key in SPKI PEM; - for standard input',
      ),
      ...NEW_KEY,
    },
    async change(session, { publicKey: file, ...key }) {
      const pem = file === '-' ? await session.io.readInput() : readPublicKey(file)
      return await register(session, pem, key)
    },
  }),
  list({
    name: 'keys list',
    about: 'List all keys of a tenant, revoked ones included.',
    examples: ['keys list --tenant ten_…'],
    takes: { tenantId: TENANT },
    list: async ({ db, now }, { tenantId }) =>
      (await listKeys(db, tenantId, now)).map(({ publicKey: _, lastUsedAt: _used, ...key }) => key),
    columns: ['id', 'state', 'label', 'scopes', 'created_at', 'expires_at', 'revoked_at'],
    empty: 'The tenant has no keys yet.',
  }),
  act(REVOKE_KEY, {
    name: 'keys revoke',
    about: 'Revoke a key for good. Every process refuses it within five seconds.',
    examples: ['keys revoke key_… --tenant ten_…'],
    done: (_, { keyId: id, tenantId }, { now }) => ({
      data: { id, tenant_id: tenantId, state: 'revoked', revoked_at: now },
      shown: `Key ${id} is revoked.`,
    }),
  }),
]

async function register(
  { actOrPropose, now }: ChangeSession,
  publicKeyPem: string,
  { tenantId, label, scopes, expiresAt }: Given<typeof NEW_KEY>,
): Promise<Answer & { shown: string }> {
  const expires = expiresAt?.toISOString() ?? null
  const asked = { tenantId, publicKeyPem, label, scopes: [...scopes], expiresAt: expires }
  const { data, shown } = await actOrPropose(REGISTER_KEY, asked, ({ id }) => ({
    data: { id, tenant_id: tenantId, label, scopes, created_at: now, expires_at: expiresAt },
    shown: formatAnswer({
      ...{ key: id, tenant: tenantId, label, expires: expiresAt },
      scopes: scopes.length === SCOPES.length ? 'all' : scopes,
    }),
  }))
  return { data, shown: String(shown) }
}

/** Only a new file: an old one may hold a key in use. */
function writePrivateKey(file: string, pem: string): void {
  try {
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    const detail = `The private key cannot be written: ${messageOf(error)}.`
    throw new Refusal('validation_failed', detail)
  }
}

function readPublicKey(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refusal('validation_failed', `The public key cannot be read: ${messageOf(error)}.`)
  }
}
