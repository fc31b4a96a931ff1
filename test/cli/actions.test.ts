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

const ofTenant = () => `--tenant ${lending.tenantId}`

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
  return `${repaymentId} ${ofTenant()} --reason checked`
}

/** A repayment of 500.00 for which 700.00 were received, and its tenant. */
async function inSuspense(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  const reference = newId('evt')
  lending.received.set(reference, usd(700_00n))
  const repayment = await repay(lending, id, usd(500_00n), reference)
  await settle(lending)
  return `${repayment.id} ${ofTenant()} --reason checked`
}

async function inDoubt(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  const subjectId = newId('rfd')
  await sql`INSERT INTO doubtful_calls (tenant_id, subject_id, facility_id, reason, answer, since)
    VALUES (${lending.tenantId}, ${subjectId}, ${id}, 'refused', '{}', now())`.execute(lending.db)
  return `${subjectId} ${ofTenant()} --reason checked`
}

async function aBreak(): Promise<string> {
  const breakId = newId('brk')
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, day, found_at,
      written_at)
    VALUES (${lending.tenantId}, ${breakId}, 'missing_here', 'bank', ${breakId}, '2026-11-20', now(),
      now())`.execute(lending.db)
  return `${breakId} ${ofTenant()} --reason checked`
}

async function aFacility(): Promise<string> {
  return `${(await addDrawnFacility(lending, usd(20_000_00n))).id} ${ofTenant()}`
}

async function aBorrower(): Promise<string> {
  return `${(await addDrawnFacility(lending, usd(100_00n))).borrowerId} ${ofTenant()}`
}

async function addPerson(email: string): Promise<string> {
  const command = `console invite ${ofTenant()} --email ${email} --role viewer`
  return `${(await cli.read<{ id: string }>(command, { env })).id} ${ofTenant()}`
}

async function addOperator(name: string): Promise<string> {
  await cli.read(`operators invite --email ${name}@lender.example --role viewer`)
  return `${name}@lender.example`
}

async function propose(): Promise<string> {
  const command = 'residency set --country IE --type business --allow --reason board'
  const at = { env: { ...env, FOUR_EYES: 'on' }, now: lending.now() }
  const proposed = await cli.read<{ approval_id: string }>(
    `${command} --actor grace@lender.example`,
    at,
  )
  expect(proposed).toMatchObject({ status: 'PENDING', action: 'residency.set' })
  return `${proposed.approval_id} --actor ada@lender.example`
}

const DOCUMENT = '--type mla --version 2026-11'
const PUBLISHED = `${DOCUMENT} --title MLA --url https://example.com/mla.pdf`

/** Each command that changes something, with the arguments that follow its name. */
const CHANGES: Record<string, () => string | Promise<string>> = {
  'approvals confirm': propose,
  'approvals reject': propose,
  'operators invite': () => '--email walker@lender.example --role viewer',
  'operators remove': () => addOperator('leaver'),
  'operators tokens create': newToken,
  async 'operators tokens revoke'() {
    const command = `operators tokens create ${await newToken()}`
    return (await cli.read<{ id: string }>(command, { now: lending.now() })).id
  },
  'margin policy propose': newVersion,
  async 'margin policy withdraw'() {
    const at = { env, now: lending.now() }
    const command = `margin policy propose ${newVersion()}`
    const { version } = await cli.read<{ version: number }>(command, at)
    return `${version} --reason mistake`
  },
  'tenants suspend': async () => `${await cli.createTenant()} --reason court`,
  async 'tenants resume'() {
    const id = await cli.createTenant()
    await cli.read(`tenants suspend ${id} --reason court`)
    return `${id} --reason lifted`
  },
  'tenants export': () => cli.createTenant(),
  async 'tenants close'() {
    const id = await cli.createTenant()
    const at = { env, now: addMs(lending.now(), -DAY_MS) }
    await cli.read(`tenants suspend ${id} --reason ended`, at)
    await cli.show(`tenants export ${id}`, at)
    return `${id} --reason ended`
  },
  'tenants create': () => 'Acme',
  'keys generate': async () => `--tenant ${await cli.createTenant()}`,
  async 'keys register'() {
    const file = join(tmpdir(), `actions-${process.pid}.pem`)
    writeFileSync(file, generateKeyPair().publicKeyPem)
    return `--tenant ${await cli.createTenant()} --public-key ${file}`
  },
  async 'keys revoke'() {
    const tenantId = await cli.createTenant()
    const { id } = await cli.read<{ id: string }>(`keys generate --tenant ${tenantId}`)
    return `${id} --tenant ${tenantId}`
  },
  'console invite': () => `${ofTenant()} --email a@b.example --role viewer`,
  'console remove': () => addPerson('gone@b.example'),
  'console sessions end': () => addPerson('out@b.example'),
  'documents publish': async () => `--tenant ${await cli.createTenant()} ${PUBLISHED}`,
  async 'documents retire'() {
    const tenantId = await cli.createTenant()
    await cli.read(`documents publish --tenant ${tenantId} ${PUBLISHED}`)
    return `--tenant ${tenantId} ${DOCUMENT}`
  },
  'residency set': () => '--country FR --type business --deny',
  'residency seed-sample': () => '',
  async 'borrowers review'() {
    const borrower = await aBorrower()
    await sql`UPDATE compliance_checks SET status = 'review', decided_at = NULL
      WHERE borrower_id = ${borrower.split(' ')[0]} AND kind = 'kyc'`.execute(lending.db)
    return `${borrower} --approve --note seen`
  },
  'borrowers block': async () => `${await aBorrower()} --reason court`,
  'borrowers export': aBorrower,
  // Its reason goes with the key.
  'borrowers erase': async () =>
    `${await addBorrower(lending.db, lending.tenantId)} ${ofTenant()} --reason asked`,
  async 'borrowers unblock'() {
    const borrower = await aBorrower()
    await cli.read(`borrowers block ${borrower} --reason court`)
    return borrower
  },
  'facilities hold': async () => `${await aFacility()} --kind freeze --reason order`,
  async 'facilities release'() {
    const of = `${await aFacility()} --reason order`
    const { hold } = await cli.read<{ hold: string }>(`facilities hold ${of} --kind freeze`)
    return `${of} --hold ${hold}`
  },
  'facilities amend': async () => `${await aFacility()} --rate 0.12 --reason agreed`,
  async 'facilities withdraw-amendment'() {
    const of = `${await aFacility()} --reason agreed`
    await cli.read(`facilities amend ${of} --rate 0.12`)
    return of
  },
  'facilities correct': async () =>
    `${await aFacility()} --kind credit --amount 10.00 --reason agreed`,
  async 'refunds redirect'() {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.payments.next = ['done', 'refused']
    await repay(lending, id, usd(20_500_00n))
    await settle(lending)
    const { items } = await cli.read<{ items: { id: string }[] }>('refunds list')
    return `${items[0]?.id} ${ofTenant()} --destination account-2 --reason closed`
  },
  'receipts ask-again': contested,
  'receipts refuse': contested,
  'receipts apply': inSuspense,
  'receipts return': async () => `${await inSuspense()} --destination account-2`,
  'payments check': inSuspense,
  'payments dismiss': inDoubt,
  'breaks take': aBreak,
  'breaks resolve': aBreak,
  'books close': async () => `2020-01 --tenant ${await cli.createTenant()} --reason agreed --yes`,
  async 'work retry'() {
    await sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts, last_error)
      VALUES (${lending.tenantId}, 'evaluate-borrower', 'bor_stuck', 'real', 1,
        now() + interval '1 hour', 12, 'down')`.execute(lending.db)
    return ''
  },
  'encryption rotate': () => '',
  'encryption rotate-receipt-key': () => '',
  audit: () => '',
  migrate: () => '--app-role walker_app',
}

/** The action that a command records, where it is not its name: `receipts.ask_again`. */
const ACTIONS: Record<string, string> = {
  'approvals confirm': 'residency.set',
  'operators tokens create': 'operators.create_token',
  'operators tokens revoke': 'operators.revoke_token',
  'margin policy propose': 'margin_policy.set',
  'margin policy withdraw': 'margin_policy.withdraw',
  'keys generate': 'keys.register',
  'console sessions end': 'console.end_sessions',
  'borrowers review': 'borrowers.approve',
  'encryption rotate-receipt-key': 'receipt_key.rotate',
  audit: 'audit.record',
}

async function prepare(name: string) {
  const argv = `${name} ${(await CHANGES[name]?.()) ?? ''}`.trim()
  const action = ACTIONS[name] ?? name.replace(' ', '.').replaceAll('-', '_')
  return { argv, action, confirmed: name === 'approvals confirm' ? ['approvals.confirm'] : [] }
}

/** Their tests are elsewhere: a local stack in a folder; and Citus. */
const ELSEWHERE = ['console link', 'operators link', 'distribute']

/** Commands that change nothing, with what follows their names. */
const READS: Record<string, string> = {
  'borrowers find': 'customer-7',
  'books export': '--format csv',
  'margin stress': '--prices BTC=-90%',
  'margin policy show': '0',
  ...Object.fromEntries(
    ['keys list', 'console people', 'documents list'].map((name) => [name, '--tenant TENANT']),
  ),
  ...Object.fromEntries(
    [
      ...['book', 'operators list', 'operators tokens list', 'operators actions'],
      ...['approvals list', 'tenants list', 'residency list', 'borrowers blocked'],
      ...['applications list', 'refunds list', 'facilities holds', 'facilities amendments'],
      ...['receipts list', 'payments list', 'payments waiting', 'breaks list', 'ledger check'],
      ...['books trial-balance', 'work stuck', 'operations problems', 'operations processes'],
      ...['operations providers', 'operations keys', 'operations queue', 'operations webhooks'],
      ...['operations prices', 'operations partitions', 'operations audit'],
      ...['margin policy list', 'margin warnings', 'margin calls'],
    ].map((name) => [name, '']),
  ),
}

/** Commands that change nothing and have tests of their own. */
const OTHER_READS = [
  ...['providers check', 'borrowers show', 'facilities corrections', 'books statement'],
  ...['books month-end', 'margin explain', 'margin policy preview', 'margin backtest'],
  ...['margin warning', 'margin call', 'margin timeline'],
]

/** Each takes effect a day after the one before it. */
let days = 0
function newVersion(): string {
  days += 1
  const file = join(tmpdir(), `terms-${process.pid}.json`)
  writeFileSync(file, '{}')
  const from = addMs(lending.now(), days * DAY_MS).toISOString()
  return `${file} --from ${from} --reason volatility`
}

async function newToken(): Promise<string> {
  const email = await addOperator('walker')
  return `--email ${email} --name script --expires ${addMs(lending.now(), DAY_MS).toISOString()}`
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
  const known = [CHANGES, READS].flatMap(Object.keys).concat(OTHER_READS, ELSEWHERE)
  expect([...leaves.keys()].sort()).toEqual(known.sort())
})

test('the help of every command has examples and the JSON option', async () => {
  for (const name of leaves.keys()) {
    const { exitCode, out } = await run([...name.split(' '), '--help'])
    expect([name, exitCode]).toEqual([name, 0])
    expect(out).toContain(`Usage: cli ${name}`)
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
  test.each(Object.keys(CHANGES))('records it once, with its actor: %s', async (name) => {
    const { argv, action, confirmed } = await prepare(name)
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
  })

  test.each(['tenants suspend', 'tenants resume', 'tenants close', 'margin policy propose'])(
    'is refused without a reason: %s',
    async (name) => {
      const { argv } = await prepare(name)
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
  test.each(Object.entries(READS))('changes and records nothing: %s', async (name, given) => {
    const argv = `${name} ${given.replace('TENANT', lending.tenantId)}`.trim()
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
