import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { Refusal } from '../core/errors.ts'
import { type ApiKey, listKeys, registerKey } from '../domain/auth/keys.ts'
import { generateKeyPair } from '../domain/auth/public-key.ts'
import { SCOPES, type Scope } from '../domain/auth/scopes.ts'
import { REVOKE_KEY } from '../domain/operators/acts/access-acts.ts'
import { messageOf } from '../local/local-failure.ts'
import {
  type ChangeOptions,
  type ChangeSession,
  defineChange,
  offerReason,
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
    'Make a key pair and register its public key. The private key is printed or written once and stored nowhere else.',
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
        const key = await register(session, publicKeyPem, options)
        if (file === undefined) {
          return {
            data: { ...key, private_key_pem: privateKeyPem },
            text: `${describe(key)}\n\n${privateKeyPem}\nThis private key is shown only now: keep it safe; it cannot be shown again.`,
          }
        }
        const text = `${describe(key)}\n\nThe private key is in ${file} and nowhere else.`
        return { data: { ...key, private_key_file: file }, text }
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
    'Register a public key; the tenant keeps the private key.',
    [
      'keys register --tenant ten_… --public-key acme.pub.pem --label "order desk"',
      'keys register --tenant ten_… --public-key - < acme.pub.pem',
    ],
  ).requiredOption('--public-key <file>', 'an Ed25519 public key in SPKI PEM; - for standard input')
  requireNewKey(command).action(async (options: NewKeyOptions & { publicKey: string }) => {
    const publicKeyPem =
      options.publicKey === '-' ? await io.readInput() : readPublicKey(options.publicKey)
    await runChange(io, options, async (session) => {
      const key = await register(session, publicKeyPem, options)
      return { data: key, text: describe(key) }
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
  return requireTenant(command)
    .addOption(
      new Option('--scopes <list>', 'scopes separated by commas, or all')
        .argParser(readScopes)
        .default(SCOPES, 'all'),
    )
    .addOption(new Option('--label <text>', 'a name for the key').default('', 'none'))
    .option('--expires <timestamp>', 'when the key stops working, in UTC', readTimestamp)
}

async function register(session: ChangeSession, publicKeyPem: string, options: NewKeyOptions) {
  const { change, now, maxActiveKeys } = session
  const { tenant, label, scopes, expires } = options
  const registration = { publicKeyPem, label, scopes, expiresAt: expires }
  const id = await change(async (tx) => {
    const made = await registerKey(tx, tenant, registration, { maxActive: maxActiveKeys, now })
    const act = {
      action: 'keys.register' as const,
      subject: { kind: 'key', id: made },
      tenantId: tenant,
      after: { label, scopes, expires_at: expires },
    }
    return { result: made, act }
  })
  return { id, tenant_id: tenant, label, scopes, created_at: now, expires_at: expires }
}

function describe(key: Awaited<ReturnType<typeof register>>): string {
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
