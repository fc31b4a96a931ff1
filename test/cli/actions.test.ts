import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CliIo } from '../../src/cli/command/cli-io.ts'
import { assembleProgram } from '../../src/cli/command/run-cli.ts'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { copyPolicies, createTargetCell } from '../support/cells.ts'
import { houseForFile } from '../support/lending/houses.ts'
import { addDrawnFacility, repay, settle, usd } from '../support/lending/lending.ts'
import type { TestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

const lending = houseForFile()
let cli: ReturnType<typeof createDatabaseCli>
let target: TestDatabase
beforeAll(async () => {
  cli = createDatabaseCli(lending.databaseUrl)
  target = await createTargetCell(lending.db)
  env.TARGET_DATABASE_URL = target.url
})
afterAll(() => target[Symbol.asyncDispose]())

const env = {
  STACK: 'sandbox',
  TARGET_DATABASE_URL: '',
  TARGET_ENCRYPTION_KEYS: `next:${Buffer.alloc(32, 7).toString('base64')}`,
  APP_ROLE_PASSWORD: 'secret',
  PUBLIC_URL: 'https://api.example.com',
  ENCRYPTION_KEYS: `next:${Buffer.alloc(32, 7).toString('base64')}`,
}

/** A change of each command, and the action that it records. */
const CHANGES: Record<string, () => Promise<{ argv: string; action: string }>> = {
  'operators invite': async () => ({
    argv: 'operators invite --email walker@lender.example --role viewer',
    action: 'operators.invite',
  }),
  'operators remove': async () => {
    await cli.read('operators invite --email leaver@lender.example --role viewer')
    return { argv: 'operators remove leaver@lender.example', action: 'operators.remove' }
  },
  'operators tokens create': async () => {
    await cli.read('operators invite --email walker@lender.example --role viewer')
    return { argv: newToken(), action: 'operators.create_token' }
  },
  'operators tokens revoke': async () => {
    await cli.read('operators invite --email walker@lender.example --role viewer')
    const { id } = await cli.read<{ id: string }>(newToken(), { now: lending.now() })
    return { argv: `operators tokens revoke ${id}`, action: 'operators.revoke_token' }
  },
  'margin policy propose': async () => ({ argv: newVersion(), action: 'margin_policy.set' }),
  'margin policy withdraw': async () => {
    const { version } = await cli.read<{ version: number }>(newVersion(), {
      env,
      now: lending.now(),
    })
    const argv = `margin policy withdraw ${version} --reason mistake`
    return { argv, action: 'margin_policy.withdraw' }
  },
  'tenants suspend': async () => ({
    argv: `tenants suspend ${await cli.createTenant()} --reason court`,
    action: 'tenants.suspend',
  }),
  'tenants resume': async () => {
    const id = await cli.createTenant()
    await cli.read(`tenants suspend ${id} --reason court`)
    return { argv: `tenants resume ${id} --reason lifted`, action: 'tenants.resume' }
  },
  'tenants move': async () => {
    await copyPolicies(lending.db, target.db)
    return { argv: `tenants move ${await cli.createTenant()} --to b`, action: 'tenants.move' }
  },
  'tenants forget': async () => {
    await copyPolicies(lending.db, target.db)
    const id = await cli.createTenant()
    await cli.read(`tenants move ${id} --to b`, { env })
    return { argv: `tenants forget ${id}`, action: 'tenants.forget' }
  },
  'tenants create': async () => ({ argv: 'tenants create Acme', action: 'tenants.create' }),
  'keys generate': async () => ({
    argv: `keys generate --tenant ${await cli.createTenant()}`,
    action: 'keys.register',
  }),
  'keys register': async () => {
    const file = join(tmpdir(), `actions-${process.pid}.pem`)
    writeFileSync(file, generateKeyPair().publicKeyPem)
    return {
      argv: `keys register --tenant ${await cli.createTenant()} --public-key ${file}`,
      action: 'keys.register',
    }
  },
  'keys revoke': async () => {
    const tenantId = await cli.createTenant()
    const { id } = await cli.read<{ id: string }>(`keys generate --tenant ${tenantId}`)
    return { argv: `keys revoke ${id} --tenant ${tenantId}`, action: 'keys.revoke' }
  },
  'console invite': async () => ({
    argv: `console invite --tenant ${lending.tenantId} --email a@b.example --role viewer`,
    action: 'console.invite',
  }),
  'console remove': async () => ({
    argv: `console remove ${await addPerson('gone@b.example')} --tenant ${lending.tenantId}`,
    action: 'console.remove',
  }),
  'console sessions end': async () => ({
    argv: `console sessions end ${await addPerson('out@b.example')} --tenant ${lending.tenantId}`,
    action: 'console.end_sessions',
  }),
  'documents publish': async () => ({
    argv: `documents publish --tenant ${await cli.createTenant()} --type mla --version 2026-11 --title MLA --url https://example.com/mla.pdf`,
    action: 'documents.publish',
  }),
  'documents retire': async () => {
    const of = `--tenant ${await cli.createTenant()} --type mla --version 2026-11`
    await cli.read(`documents publish ${of} --title MLA --url https://example.com/mla.pdf`)
    return { argv: `documents retire ${of}`, action: 'documents.retire' }
  },
  'residency set': async () => ({
    argv: 'residency set --country FR --type business --deny',
    action: 'residency.set',
  }),
  'residency seed-sample': async () => ({
    argv: 'residency seed-sample',
    action: 'residency.seed_sample',
  }),
  'borrowers review': async () => {
    const { borrowerId } = await addDrawnFacility(lending, usd(100_00n))
    await sql`UPDATE compliance_checks SET status = 'review', decided_at = NULL
      WHERE borrower_id = ${borrowerId} AND kind = 'kyc'`.execute(lending.db)
    return {
      argv: `borrowers review ${borrowerId} --tenant ${lending.tenantId} --approve --note seen`,
      action: 'borrowers.approve',
    }
  },
  'borrowers block': async () => {
    const { borrowerId } = await addDrawnFacility(lending, usd(100_00n))
    return {
      argv: `borrowers block ${borrowerId} --tenant ${lending.tenantId} --reason court`,
      action: 'borrowers.block',
    }
  },
  'borrowers unblock': async () => {
    const { borrowerId } = await addDrawnFacility(lending, usd(100_00n))
    const of = `${borrowerId} --tenant ${lending.tenantId}`
    await cli.read(`borrowers block ${of} --reason court`)
    return { argv: `borrowers unblock ${of}`, action: 'borrowers.unblock' }
  },
  'refunds redirect': async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.payments.next = ['done', 'refused']
    await repay(lending, id, usd(20_500_00n))
    await settle(lending)
    const { items } = await cli.read<{ items: { id: string }[] }>('refunds list')
    return {
      argv: `refunds redirect ${items[0]?.id} --tenant ${lending.tenantId} --destination account-2 --reason closed`,
      action: 'refunds.redirect',
    }
  },
  'books close': async () => {
    const tenantId = await cli.createTenant()
    return { argv: `books close 2020-01 --tenant ${tenantId}`, action: 'books.close' }
  },
  'work retry': async () => {
    await sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts, last_error)
      VALUES (${lending.tenantId}, 'evaluate-borrower', 'bor_stuck', 'real', 1,
        now() + interval '1 hour', 12, 'down')`.execute(lending.db)
    return { argv: 'work retry', action: 'work.retry' }
  },
  'encryption rotate': async () => ({ argv: 'encryption rotate', action: 'encryption.rotate' }),
  audit: async () => ({ argv: 'audit', action: 'audit.record' }),
  migrate: async () => ({ argv: 'migrate --app-role walker_app', action: 'migrate' }),
}

/** Their tests are elsewhere: a local stack in a folder, and two operators of a live stack. */
const ELSEWHERE = [
  ...['console link', 'operators link', 'approvals confirm', 'approvals reject'],
  // Needs the extension Citus.
  'distribute',
]

/** Commands that change nothing, with the reason of those that are not run here. */
const READS: Record<string, string | undefined> = {
  book: 'book',
  'operators list': 'operators list',
  'operators tokens list': 'operators tokens list',
  'operators actions': 'operators actions',
  'approvals list': 'approvals list',
  'tenants list': 'tenants list',
  'keys list': 'keys list --tenant TENANT',
  'console people': 'console people --tenant TENANT',
  'documents list': 'documents list --tenant TENANT',
  'residency list': 'residency list',
  'borrowers show': undefined,
  'borrowers blocked': 'borrowers blocked',
  'applications list': 'applications list',
  'refunds list': 'refunds list',
  'ledger check': 'ledger check',
  'books trial-balance': 'books trial-balance',
  'books export': 'books export --format csv',
  'books statement': undefined,
  'work stuck': 'work stuck',
  'operations problems': 'operations problems',
  'operations processes': 'operations processes',
  'operations providers': 'operations providers',
  'operations keys': 'operations keys',
  'operations queue': 'operations queue',
  'operations webhooks': 'operations webhooks',
  'operations prices': 'operations prices',
  'operations partitions': 'operations partitions',
  'operations audit': 'operations audit',
  'margin explain': undefined,
  'margin stress': undefined,
  'margin policy list': 'margin policy list',
  'margin policy show': 'margin policy show 0',
  'margin policy preview': undefined,
  'margin backtest': undefined,
  'margin warnings': 'margin warnings',
  'margin warning': undefined,
  'margin calls': 'margin calls',
  'margin call': undefined,
  'margin timeline': undefined,
}

/** Each takes effect a day after the one before it. */
let days = 0
function newVersion(): string {
  days += 1
  const file = join(tmpdir(), `terms-${process.pid}.json`)
  writeFileSync(file, '{}')
  const from = addMs(lending.now(), days * DAY_MS).toISOString()
  return `margin policy propose ${file} --from ${from} --reason volatility`
}

const newToken = () =>
  `operators tokens create --email walker@lender.example --name script --expires ${addMs(lending.now(), DAY_MS).toISOString()}`

async function addPerson(email: string): Promise<string> {
  const command = `console invite --tenant ${lending.tenantId} --email ${email} --role viewer`
  return (await cli.read<{ id: string }>(command, { env })).id
}

/** A text that another content of the tables would not have, the record itself aside. */
async function fingerprint(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('operator_actions', 'operator_trail') ORDER BY 1`.execute(lending.db)
  const sums = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ sum: bigint | null }>`
        SELECT sum(hashtextextended(t::text, 0)) AS sum FROM ${sql.table(name)} t`.execute(
        lending.db,
      )
      return `${name} ${rows[0]?.sum}`
    }),
  )
  return sums.join('\n')
}

const newest = async () =>
  (
    await cli.read<{ items: { number: number; action: string; actor: string }[] }>(
      'operators actions --limit 1',
    )
  ).items[0]

function leavesOf(command: Command, path: string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')]
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))
}

test('every command either changes something here, or is known to change nothing', () => {
  const program = assembleProgram({ programName: 'cli' } as CliIo)
  const known = [...Object.keys(CHANGES), ...Object.keys(READS), ...ELSEWHERE]
  expect(leavesOf(program).sort()).toEqual(known.sort())
})

describe('a command that changes something', () => {
  test.each(Object.keys(CHANGES))('records it once, with its actor: %s', async (name) => {
    const { argv, action } = (await CHANGES[name]?.()) ?? { argv: '', action: '' }
    const before = { action: await newest(), tables: await fingerprint() }
    const run = await cli.run(argv, { env, now: lending.now() })
    expect(run).toMatchObject({ exitCode: 0 })
    if (name !== 'migrate' && name !== 'encryption rotate') {
      expect(await fingerprint()).not.toBe(before.tables)
    }
    const number = (before.action?.number ?? 0) + 1
    expect(await newest()).toMatchObject({ number, action, actor: 'os:tester' })
  })
})

describe('a command that changes nothing', () => {
  const runs = Object.entries(READS).filter(([, argv]) => argv !== undefined)
  test.each(runs)('changes and records nothing: %s', async (_name, argv = '') => {
    const before = { action: await newest(), tables: await fingerprint() }
    const run = await cli.run(argv.replace('TENANT', lending.tenantId), { env })
    expect(run).toMatchObject({ exitCode: 0 })
    expect(await fingerprint()).toBe(before.tables)
    expect(await newest()).toEqual(before.action)
  })
})

test('an act that is refused is not recorded', async () => {
  const before = await newest()
  await cli.fail(`keys revoke key_01k9x4m2q8e0tb7f2v5j6h8n3c --tenant ${lending.tenantId}`)
  expect(await newest()).toEqual(before)
})
