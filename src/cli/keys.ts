import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { Refusal } from '../core/errors.ts'
import { SCOPES, type Scope } from '../core/scopes.ts'
import { type ApiKey, listKeys } from '../domain/auth/keys.ts'
import { generateKeyPair } from '../domain/auth/public-key.ts'
import { REGISTER_KEY, REVOKE_KEY } from '../domain/operators/acts/access-acts.ts'
import { messageOf } from '../local/local-failure.ts'
import {
  type ChangeOptions,
  type ChangeSession,
  defineChange,
  offerReason,
  reportOutcome,
  runChange,
} from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { defineCommand, runCommand, type TenantOptions } from './command/define-command.ts'
import { readId, readScopes, readTimestamp, requireTenant } from './command/options.ts'
import { formatFields, reportList, showTime } from './command/output.ts'
import { assertTenant } from './command/session.ts'

type NewKeyOptions = ChangeOptions & {
  tenant: string
  scopes: readonly Scope[]
  label: string
  expires?: Date
}

export function addKeyCommands(program: Command, io: CliIo): void {
  const group = program.command('keys').description("The keys that sign a tenant's requests.")
  addGenerate(group, io)
  addRegister(group, io)
  addList(group, io)
  addRevoke(group, io)
}

function addGenerate(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'generate',
    'Make a key pair and register its public key. The private key is printed or written once and stored nowhere else. Two operators, for a tenant that has active keys.',
    [
      'keys generate --tenant ten_… --label "order desk" --out acme.pem',
      'keys generate --tenant ten_… --scopes borrower:read,webhook:read --expires 2027-01-31T00:00:00Z',
    ],
  ).option('--out <file>', 'write the private key to a new file that only you can read')
  requireNewKey(command).action(async (options: NewKeyOptions & { out?: string }) => {
    await runChange(io, options, async (session) => {
      const { privateKeyPem, publicKeyPem } = generateKeyPair()
      const file = options.out === undefined ? undefined : resolve(options.out)
      // Written first: a registered key without its private key is useless.
      if (file !== undefined) writePrivateKey(file, privateKeyPem)
      try {
        const { outcome, toKey } = await register(session, publicKeyPem, options)
        const { data, text } = reportOutcome(outcome, (made) => {
          const key = toKey(made)
          return { data: key, text: describe(key) }
        })
        if (file === undefined) {
          return {
            data: { ...(data as object), private_key_pem: privateKeyPem },
            text: `${text}\n\n${privateKeyPem}\nThis private key is shown only now: keep it safe; it cannot be shown again.`,
          }
        }
        return {
          data: { ...(data as object), private_key_file: file },
          text: `${text}\n\nThe private key is in ${file} and nowhere else.`,
        }
      } catch (error) {
        if (file !== undefined) rmSync(file, { force: true })
        throw error
      }
    })
  })
}

function addRegister(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'register',
    'Register a public key; the tenant keeps the private key. Two operators, for a tenant that has active keys.',
    [
      'keys register --tenant ten_… --public-key acme.pub.pem --label "order desk"',
      'keys register --tenant ten_… --public-key - < acme.pub.pem',
    ],
  ).requiredOption('--public-key <file>', 'an Ed25519 public key in SPKI PEM; - for standard input')
  requireNewKey(command).action(async (options: NewKeyOptions & { publicKey: string }) => {
    const publicKeyPem =
      options.publicKey === '-' ? await io.readInput() : readPublicKey(options.publicKey)
    await runChange(io, options, async (session) => {
      const { outcome, toKey } = await register(session, publicKeyPem, options)
      return reportOutcome(outcome, (made) => {
        const key = toKey(made)
        return { data: key, text: describe(key) }
      })
    })
  })
}

function addList(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'list',
    'List all keys of a tenant, revoked ones included.',
    ['keys list --tenant ten_…'],
  )
  requireTenant(command).action(async (options: TenantOptions) => {
    await runCommand(io, options, async (session) => {
      await assertTenant(session, options.tenant)
      const keys = await listKeys(session.db, options.tenant, session.now)
      return reportList(keys.map(toJson), {
        columns: ['id', 'state', 'label', 'scopes', 'created', 'expires', 'revoked'],
        rows: keys.map((key) => [
          ...[key.id, key.state, key.label, showScopes(key.scopes)],
          ...[key.createdAt, key.expiresAt, key.revokedAt].map(showTime),
        ]),
        empty: 'The tenant has no keys yet.',
      })
    })
  })
}

type RevokeOptions = ChangeOptions & { tenant: string }

function addRevoke(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'revoke',
    'Revoke a key for good. Every process refuses it within five seconds.',
    ['keys revoke key_… --tenant ten_…'],
  ).argument('<key_id>', 'the key, key_…', readId('key'))
  requireTenant(offerReason(command)).action(async (keyId: string, options: RevokeOptions) => {
    await runChange(io, options, async (session) => {
      await assertTenant(session, options.tenant)
      const { now, changeOrPropose } = session
      const asked = { tenantId: options.tenant, keyId }
      await changeOrPropose(REVOKE_KEY, asked, options.reason)
      const data = { id: keyId, tenant_id: options.tenant, state: 'revoked', revoked_at: now }
      return { data, text: `Key ${keyId} is revoked.` }
    })
  })
}

function requireNewKey(command: Command): Command {
  return requireTenant(offerReason(command))
    .addOption(
      new Option('--scopes <list>', 'scopes separated by commas, or all')
        .argParser(readScopes)
        .default(SCOPES, 'all'),
    )
    .addOption(new Option('--label <text>', 'a name for the key').default('', 'none'))
    .option('--expires <timestamp>', 'when the key stops working, in UTC', readTimestamp)
}

/** Undefined where it was proposed: the tenant has active keys. */
async function register(session: ChangeSession, publicKeyPem: string, options: NewKeyOptions) {
  const { changeOrPropose, now } = session
  const { tenant: tenantId, label, scopes, expires, reason } = options
  const expiresAt = expires?.toISOString() ?? null
  const asked = { tenantId, publicKeyPem, label, scopes: [...scopes], expiresAt }
  const outcome = await changeOrPropose(REGISTER_KEY, asked, reason)
  return {
    outcome,
    toKey: ({ id }: { id: string }) => ({
      ...{ id, tenant_id: tenantId, label, scopes, created_at: now, expires_at: expires },
    }),
  }
}

type NewKey = ReturnType<Awaited<ReturnType<typeof register>>['toKey']>

function describe(key: NewKey): string {
  return formatFields({
    key: key.id,
    tenant: key.tenant_id,
    label: key.label,
    scopes: showScopes(key.scopes),
    expires: showTime(key.expires_at),
  })
}

function showScopes(scopes: readonly string[]): string {
  return scopes.length === SCOPES.length ? 'all' : scopes.join(',')
}

function toJson(key: ApiKey) {
  return {
    id: key.id,
    state: key.state,
    label: key.label,
    scopes: key.scopes,
    public_key_pem: key.publicKeyPem,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
  }
}

/** Only a new file: an old one may hold a key in use. */
function writePrivateKey(file: string, pem: string): void {
  try {
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw new Refusal(
      'validation_failed',
      `The private key cannot be written: ${messageOf(error)}.`,
    )
  }
}

function readPublicKey(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refusal('validation_failed', `The public key cannot be read: ${messageOf(error)}.`)
  }
}
