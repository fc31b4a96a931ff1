import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CliIo } from '../../src/cli/command/cli-io.ts'
import { assembleProgram } from '../../src/cli/command/run-cli.ts'
import { type IdPrefix, newId } from '../../src/core/ids.ts'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { inTransaction, openForReads } from '../../src/db/database.ts'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { readOperatorActions } from '../../src/domain/operators/actions.ts'
import { houseForFile } from '../support/lending/houses.ts'
import { addDrawnFacility, repay, settle, usd } from '../support/lending/lending.ts'
import { addBorrower } from '../support/lending/onboarding.ts'
import { createFingerprint } from '../support/stores/fingerprint.ts'
import { testKey } from '../support/stores/sealer.ts'
import { createDatabaseCli, run } from './database-cli.ts'

const lending = houseForFile()
let cli: ReturnType<typeof createDatabaseCli>
let fingerprint: () => Promise<string>
beforeAll(async () => {
  cli = createDatabaseCli(lending.databaseUrl)
  for (const [name, role] of [
    ...[
      ['ada', 'admin'],
      ['grace', 'admin'],
      ['vera', 'viewer'],
    ],
  ]) {
    await cli.read(`operators invite --email ${name}@lender.example --role ${role}`)
  }
  fingerprint = await createFingerprint(lending.db)
})

const env = {
  STACK: 'sandbox',
  APP_ROLE_PASSWORD: 'secret',
  PUBLIC_URL: 'https://api.example.com',
  ENCRYPTION_KEYS: `next:${Buffer.alloc(32, 7).toString('base64')},test:${testKey('test').bytes.toString('base64')}`,
  ERASED_FILE: join(tmpdir(), `erased-${process.pid}.jsonl`),
}

type Change = { argv: string; action: string; confirmed?: string[] }

/** A repayment whose transfer has paid another one, and its tenant. */
async function contested(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  const references = [newId('evt'), newId('evt')]
  for (const reference of references) {
    lending.transfers.set(reference, references.join())
    await repay(lending, id, usd(500_00n), reference)
  }
  await settle(lending)
  const { repayment_id: repaymentId } = await lending.db
    .selectFrom('repayments')
    .select('repayment_id')
    .where('facility_id', '=', id)
    .where('undecided_since', 'is not', null)
    .executeTakeFirstOrThrow()
  return `${repaymentId} --tenant ${lending.tenantId} --reason checked`
}

/** A repayment of 500.00 for which 700.00 were received, and its tenant. */
async function inSuspense(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  const reference = newId('evt')
  lending.received.set(reference, usd(700_00n))
  const repayment = await repay(lending, id, usd(500_00n), reference)
  await settle(lending)
  return `${repayment.id} --tenant ${lending.tenantId} --reason checked`
}

async function inDoubt(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  const { tenantId, db } = lending
  const subjectId = newId('rfd')
  await sql`INSERT INTO doubtful_calls (tenant_id, subject_id, facility_id, reason, answer, since)
    VALUES (${tenantId}, ${subjectId}, ${id}, 'refused', '{}', now())`.execute(db)
  return `${subjectId} --tenant ${tenantId} --reason checked`
}

async function aBreak(): Promise<string> {
  const { tenantId, db } = lending
  const breakId = newId('brk')
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, day, found_at,
      written_at)
    VALUES (${tenantId}, ${breakId}, 'missing_here', 'bank', ${breakId}, '2026-11-20', now(), now())`.execute(
    db,
  )
  return `${breakId} --tenant ${tenantId} --reason checked`
}

async function propose(): Promise<string> {
  const command = 'residency set --country IE --type business --allow --reason board'
  const at = { env: { ...env, FOUR_EYES: 'on' }, now: lending.now() }
  const proposed = await cli.read<{ approval_id: string }>(
    `${command} --actor grace@lender.example`,
    at,
  )
  expect(proposed).toMatchObject({ status: 'PENDING', action: 'residency.set' })
  return proposed.approval_id
}

/** A change of each command, and the action that it records. */
const CHANGES: Record<string, () => Promise<Change>> = {
  'approvals confirm': async () => ({
    argv: `approvals confirm ${await propose()} --actor ada@lender.example`,
    ...{ action: 'residency.set', confirmed: ['approvals.confirm'] },
  }),
  'approvals reject': async () => ({
    argv: `approvals reject ${await propose()} --actor ada@lender.example`,
    action: 'approvals.reject',
  }),
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
  'tenants export': async () => ({
    argv: `tenants export ${await cli.createTenant()}`,
    action: 'tenants.export',
  }),
  'tenants close': async () => {
    const id = await cli.createTenant()
    const at = { env, now: addMs(lending.now(), -DAY_MS) }
    await cli.read(`tenants suspend ${id} --reason ended`, at)
    await cli.show(`tenants export ${id}`, at)
    return { argv: `tenants close ${id} --reason ended`, action: 'tenants.close' }
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
  'borrowers export': async () => {
    const { borrowerId } = await addDrawnFacility(lending, usd(100_00n))
    const argv = `borrowers export ${borrowerId} --tenant ${lending.tenantId}`
    return { argv, action: 'borrowers.export' }
  },
  'borrowers erase': async () => {
    const borrowerId = await addBorrower(lending.db, lending.tenantId)
    // Its reason goes with the key.
    const argv = `borrowers erase ${borrowerId} --tenant ${lending.tenantId} --reason asked`
    return { argv, action: 'borrowers.erase' }
  },
  'borrowers unblock': async () => {
    const { borrowerId } = await addDrawnFacility(lending, usd(100_00n))
    const of = `${borrowerId} --tenant ${lending.tenantId}`
    await cli.read(`borrowers block ${of} --reason court`)
    return { argv: `borrowers unblock ${of}`, action: 'borrowers.unblock' }
  },
  'facilities hold': async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    return {
      argv: `facilities hold ${id} --tenant ${lending.tenantId} --kind freeze --reason order`,
      action: 'facilities.hold',
    }
  },
  'facilities release': async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const of = `--tenant ${lending.tenantId} --reason order`
    const { hold } = await cli.read<{ hold: string }>(`facilities hold ${id} ${of} --kind freeze`)
    return {
      argv: `facilities release ${id} --hold ${hold} ${of}`,
      action: 'facilities.release',
    }
  },
  'facilities amend': async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    return {
      argv: `facilities amend ${id} --tenant ${lending.tenantId} --rate 0.12 --reason agreed`,
      action: 'facilities.amend',
    }
  },
  'facilities withdraw-amendment': async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const of = `${id} --tenant ${lending.tenantId} --reason agreed`
    await cli.read(`facilities amend ${of} --rate 0.12`)
    return {
      argv: `facilities withdraw-amendment ${of}`,
      action: 'facilities.withdraw_amendment',
    }
  },
  'facilities correct': async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    return {
      argv: `facilities correct ${id} --tenant ${lending.tenantId} --kind credit --amount 10.00 --reason agreed`,
      action: 'facilities.correct',
    }
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
  'receipts ask-again': async () => ({
    ...{ argv: `receipts ask-again ${await contested()}`, action: 'receipts.ask_again' },
  }),
  'receipts refuse': async () => ({
    ...{ argv: `receipts refuse ${await contested()}`, action: 'receipts.refuse' },
  }),
  'receipts apply': async () => ({
    ...{ argv: `receipts apply ${await inSuspense()}`, action: 'receipts.apply' },
  }),
  'receipts return': async () => ({
    argv: `receipts return ${await inSuspense()} --destination account-2`,
    action: 'receipts.return',
  }),
  'payments check': async () => ({
    ...{ argv: `payments check ${await inSuspense()}`, action: 'payments.check' },
  }),
  'payments dismiss': async () => ({
    ...{ argv: `payments dismiss ${await inDoubt()}`, action: 'payments.dismiss' },
  }),
  'breaks take': async () => ({ argv: `breaks take ${await aBreak()}`, action: 'breaks.take' }),
  'breaks resolve': async () => ({
    ...{ argv: `breaks resolve ${await aBreak()}`, action: 'breaks.resolve' },
  }),
  'books close': async () => {
    const tenantId = await cli.createTenant()
    return {
      argv: `books close 2020-01 --tenant ${tenantId} --reason agreed --yes`,
      action: 'books.close',
    }
  },
  'work retry': async () => {
    await sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts, last_error)
      VALUES (${lending.tenantId}, 'evaluate-borrower', 'bor_stuck', 'real', 1,
        now() + interval '1 hour', 12, 'down')`.execute(lending.db)
    return { argv: 'work retry', action: 'work.retry' }
  },
  'encryption rotate': async () => ({ argv: 'encryption rotate', action: 'encryption.rotate' }),
  'encryption rotate-receipt-key': async () => ({
    ...{ argv: 'encryption rotate-receipt-key', action: 'receipt_key.rotate' },
  }),
  audit: async () => ({ argv: 'audit', action: 'audit.record' }),
  migrate: async () => ({ argv: 'migrate --app-role walker_app', action: 'migrate' }),
}

/** Their tests are elsewhere: a local stack in a folder. */
const ELSEWHERE = [
  ...['console link', 'operators link'],
  // Needs the extension Citus.
  'distribute',
]

/** Commands that change nothing, with the reason of those that are not run here. */
const READS: Record<string, string | undefined> = {
  book: 'book',
  'providers check': undefined,
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
  'borrowers find': 'borrowers find customer-7',
  'applications list': 'applications list',
  'refunds list': 'refunds list',
  'facilities holds': 'facilities holds',
  'facilities amendments': 'facilities amendments',
  'facilities corrections': undefined,
  'receipts list': 'receipts list',
  'payments list': 'payments list',
  'payments waiting': 'payments waiting',
  'breaks list': 'breaks list',
  'ledger check': 'ledger check',
  'books trial-balance': 'books trial-balance',
  'books export': 'books export --format csv',
  'books statement': undefined,
  'books month-end': undefined,
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
  'margin stress': 'margin stress --prices BTC=-90%',
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

const listActions = (limit: number) => readOperatorActions(lending.db, {}, limit)
const readState = async () => ({
  ...{ tables: await fingerprint(), newest: await listActions(1) },
})

/** The command with each of its ids in turn replaced by one of nothing that is there. */
const strangeCommands = (argv: string) =>
  [...new Set(argv.match(/\b[a-z]{3}_[0-9a-z]{26}\b/g))].map((id) =>
    argv.replaceAll(id, newId(id.slice(0, 3) as IdPrefix)),
  )

function leavesOf(command: Command, path: string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))
}
const leaves = new Map(leavesOf(assembleProgram({ programName: 'cli' } as CliIo)))
const takes = (name: string, option: string) =>
  leaves.get(name)?.options.some(({ long }) => long === option) ?? false

test('every command either changes something here, or is known to change nothing', () => {
  const known = [...Object.keys(CHANGES), ...Object.keys(READS), ...ELSEWHERE]
  expect([...leaves.keys()].sort()).toEqual(known.sort())
})

test('the help of every command has examples and, but where it writes a file, the JSON option', async () => {
  for (const name of leaves.keys()) {
    const { exitCode, out } = await run([...name.split(' '), '--help'])
    expect([name, exitCode]).toEqual([name, 0])
    expect(out).toContain(`Usage: cli ${name}`)
    if (name === 'books export') continue
    expect(out).toContain('--json')
    expect(out).toContain(`Examples:\n  $ cli ${name}`)
  }
})

const REFUSED = [
  ['vera', 'scope_missing'],
  ['mallory', 'not_found'],
] as const
/** Of what no table has. */
const UNSEEN = ['migrate', 'encryption rotate', 'borrowers export']
/** On record before the first of their transactions, whatever comes of it. */
const IN_STEPS = ['books close']

describe('a command that changes something', () => {
  test.each(Object.entries(CHANGES))(
    'records it once, with its actor: %s',
    async (name, prepare) => {
      const { argv, action, confirmed = [] } = await prepare()
      const at = { env, now: lending.now() }
      const before = await readState()
      const takesActor = takes(name, '--actor')
      const by = (email: string) =>
        takesActor && !argv.includes('--actor') ? ` --actor ${email}@lender.example` : ''
      for (const [email, code] of by('') && name !== 'books close' ? REFUSED : []) {
        expect(await cli.fail(argv + by(email), at)).toMatchObject({ code })
      }
      for (const strange of IN_STEPS.includes(name) ? [] : strangeCommands(argv)) {
        expect(await cli.fail(strange, at)).toMatchObject({ code: 'not_found' })
      }
      expect(await readState()).toEqual(before)
      const isReasoned = takes(name, '--reason') && !argv.includes('--reason')
      const reason = isReasoned ? ' --reason agreed' : ''
      expect(await cli.run(argv + by('ada') + reason, at)).toMatchObject({ exitCode: 0 })
      if (!UNSEEN.includes(name)) expect(await fingerprint()).not.toBe(before.tables)
      const [last, ...earlier] = await listActions(2 + confirmed.length)
      const actor = takesActor ? 'ada@lender.example' : 'os:tester'
      expect(last).toMatchObject({ action, actor, ...(isReasoned && { reason: 'agreed' }) })
      expect(earlier.slice(0, -1).map((one) => one.action)).toEqual(confirmed)
      expect(earlier.at(-1)).toEqual(before.newest[0])
    },
  )

  test.each(['tenants suspend', 'tenants resume', 'tenants close', 'margin policy propose'])(
    'is refused without a reason: %s',
    async (name) => {
      const { argv = '' } = (await CHANGES[name]?.()) ?? {}
      const before = await readState()
      const command = argv.replace(/ --reason \w+/, '')
      const at = { env, now: lending.now() }
      expect(await cli.fail(command, at)).toMatchObject({ code: 'validation_failed' })
      expect(await readState()).toEqual(before)
    },
  )

  test('is by the system’s user where no operator is named', async () => {
    await cli.read('tenants create Acme')
    expect((await listActions(1))[0]).toMatchObject({ actor: 'os:tester' })
  })
})

describe('a command that changes nothing', () => {
  const runs = Object.entries(READS).filter(([, argv]) => argv !== undefined)
  test.each(runs)('changes and records nothing: %s', async (_name, given = '') => {
    const argv = given.replace('TENANT', lending.tenantId)
    const before = await readState()
    expect(await cli.run(argv, { env })).toMatchObject({ exitCode: 0 })
    for (const strange of strangeCommands(argv)) {
      expect(await cli.fail(strange, { env })).toMatchObject({ code: 'not_found' })
    }
    expect(await readState()).toEqual(before)
  })
})

test('a command cannot open a transaction but by the function that demands the action', () => {
  const session = { db: openForReads(lending.db) }
  // @ts-expect-error A handle for reading is not taken.
  const open = () => inTransaction(session.db, async () => undefined)
  expect(open).toBeTypeOf('function')
})
