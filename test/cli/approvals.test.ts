import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { replaceRule } from '../../src/domain/onboarding/residency.ts'
import { houseForFile } from '../support/lending/houses.ts'
import { addDrawnFacility, repay, settle, usd } from '../support/lending/lending.ts'
import { waitFor } from '../support/process/patience.ts'
import { createDatabaseCli } from './database-cli.ts'

type Proposal = { approval_id: string; status: string; action: string }
type Action = { actor: string; action: string; reason?: string; before?: object; after?: object }
type Rule = { country: string; allowed: boolean; rate?: string }

const lending = houseForFile()
let cli: ReturnType<typeof createDatabaseCli>
const env = { FOUR_EYES: 'on' }
const by = (name: string) => `--actor ${name}@lender.example`

beforeAll(async () => {
  cli = createDatabaseCli(lending.databaseUrl)
  for (const name of ['ada', 'grace', 'risk']) {
    const role = name === 'risk' ? 'risk' : 'admin'
    await cli.read(`operators invite --email ${name}@lender.example --role ${role}`)
  }
  await cli.read('operators invite --email reviewer@lender.example --role reviewer')
})

const read = <T>(command: string, now = lending.now()) => cli.read<T>(command, { env, now })
const fail = (command: string, now = lending.now()) => cli.fail(command, { env, now })
const rules = async () => (await read<{ items: Rule[] }>('residency list')).items
const actionsOf = async (subject: string) =>
  (await read<{ items: Action[] }>(`operators actions --subject ${subject}`)).items
const pending = async () => {
  const { items } = await read<{ items: { id: string }[] }>('approvals list')
  return items.map(({ id }) => id)
}

let country = 0
const COUNTRIES = [
  'IE',
  'ES',
  'IT',
  'PT',
  'AT',
  'BE',
  'FI',
  'SE',
  'NO',
  'DK',
  'PL',
  'CZ',
  'GR',
  'HU',
  'RO',
  'BG',
]
let set = ''
let subject = ''
beforeEach(() => {
  const code = COUNTRIES[country]
  country += 1
  set = `residency set --country ${code} --type business --allow --rate 0.07`
  subject = `${code}/business`
})
const propose = () => read<Proposal>(`${set} --reason board ${by('ada')}`)

describe('with four eyes', () => {
  test('a guarded act changes nothing until another operator confirms, and both names are on record', async () => {
    const before = await rules()
    const proposal = await propose()
    expect(proposal).toMatchObject({ status: 'PENDING', action: 'residency.set' })
    expect(await rules()).toEqual(before)
    expect(await pending()).toContain(proposal.approval_id)
    await read(`approvals confirm ${proposal.approval_id} ${by('grace')}`)
    expect(await rules()).toHaveLength(before.length + 1)
    expect(await pending()).not.toContain(proposal.approval_id)
    expect(await actionsOf(subject)).toMatchObject([
      {
        ...{ actor: 'grace@lender.example', action: 'residency.set', reason: 'board' },
        after: { allowed: true, rate: '0.07' },
      },
      {
        ...{ actor: 'grace@lender.example', action: 'approvals.confirm' },
        after: { approval_id: proposal.approval_id, proposed_by: 'ada@lender.example' },
      },
      {
        ...{ actor: 'ada@lender.example', action: 'approvals.propose', reason: 'board' },
        after: { approval_id: proposal.approval_id, proposed: 'residency.set' },
      },
    ])
  })

  test('no one confirms their own proposal, nor the system’s user any', async () => {
    const { approval_id: id } = await propose()
    const before = await rules()
    expect(await fail(`approvals confirm ${id} ${by('ada')}`)).toMatchObject({
      code: 'scope_missing',
    })
    expect(await fail(`approvals confirm ${id}`)).toMatchObject({ code: 'scope_missing' })
    expect(await fail(`${set} --reason board`)).toMatchObject({ code: 'scope_missing' })
    expect(await rules()).toEqual(before)
    expect(await pending()).toContain(id)
  })

  test('an operator whose role does not allow the act neither proposes nor confirms it', async () => {
    expect(await fail(`${set} --reason board ${by('reviewer')}`)).toMatchObject({
      code: 'scope_missing',
    })
    const { approval_id: id } = await propose()
    expect(await fail(`approvals confirm ${id} ${by('reviewer')}`)).toMatchObject({
      code: 'scope_missing',
    })
    expect(await pending()).toContain(id)
  })

  test('a proposal needs a reason, and is refused at once for what the act refuses', async () => {
    expect(await fail(`${set} ${by('ada')}`)).toMatchObject({ code: 'validation_failed' })
    const unknown = 'residency set --country ZZ --type business --allow'
    expect(await fail(`${unknown} --reason board ${by('ada')}`)).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('The country is refused'),
    })
  })

  test('a proposal is confirmed once', async () => {
    const { approval_id: id } = await propose()
    await read(`approvals confirm ${id} ${by('grace')}`)
    const rows = await actionsOf(subject)
    expect(await fail(`approvals confirm ${id} ${by('grace')}`)).toMatchObject({
      code: 'approval_not_open',
    })
    expect(await fail(`approvals reject ${id} ${by('grace')}`)).toMatchObject({
      code: 'approval_not_open',
    })
    expect(await actionsOf(subject)).toEqual(rows)
  })

  test('a rejected proposal is not done, and its proposer may withdraw it', async () => {
    const before = await rules()
    const first = await propose()
    await read(`approvals reject ${first.approval_id} --reason late ${by('grace')}`)
    const second = await propose()
    await read(`approvals reject ${second.approval_id} ${by('ada')}`)
    for (const { approval_id: id } of [first, second]) {
      expect(await fail(`approvals confirm ${id} ${by('grace')}`)).toMatchObject({
        code: 'approval_not_open',
      })
    }
    expect(await rules()).toEqual(before)
    expect(await actionsOf(subject)).toContainEqual(
      expect.objectContaining({
        ...{ actor: 'grace@lender.example', action: 'approvals.reject', reason: 'late' },
      }),
    )
  })

  test('a proposal expires after three days', async () => {
    const { approval_id: id } = await propose()
    const late = addMs(lending.now(), 3 * DAY_MS)
    expect(await fail(`approvals confirm ${id} ${by('grace')}`, late)).toMatchObject({
      code: 'approval_not_open',
      message: 'It has expired.',
    })
    const { items } = await read<{ items: { id: string; status: string }[] }>(
      'approvals list --all',
      late,
    )
    expect(items.find((one) => one.id === id)).toMatchObject({ status: 'EXPIRED' })
  })

  test('of two proposals to change the same, the second is not done on top of the first', async () => {
    const first = await propose()
    const second = await read<Proposal>(
      `${set.replace('0.07', '0.09')} --reason other ${by('risk')}`,
    )
    await read(`approvals confirm ${first.approval_id} ${by('grace')}`)
    expect(await fail(`approvals confirm ${second.approval_id} ${by('grace')}`)).toMatchObject({
      code: 'approval_not_open',
      message: 'What it would change has changed since it was proposed.',
    })
    expect(await actionsOf(subject)).toContainEqual(
      expect.objectContaining({
        action: 'residency.set',
        after: expect.objectContaining({ rate: '0.07' }),
      }),
    )
  })

  test('of two proposals to change the same at the same time, the second sees the first', async () => {
    const { approval_id: id } = await propose()
    const [code = ''] = subject.split('/')
    const rule = { country: code, state: undefined, borrowerType: 'business' } as const
    const denied = { ...rule, allowed: false, ratePpm: undefined, maxLimitCents: undefined }
    let confirming: ReturnType<typeof fail> | undefined
    await lending.db.transaction().execute(async (tx) => {
      await replaceRule(tx, denied, lending.now())
      confirming = fail(`approvals confirm ${id} ${by('grace')}`)
      await waitFor(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(lending.db)
        expect(rows).toHaveLength(1)
      })
    })
    expect(await confirming).toMatchObject({ code: 'approval_not_open' })
    expect(await rules()).toContainEqual(expect.objectContaining({ country: code, allowed: false }))
  })

  test('of a sample, no more and no less is written than the proposal showed', async () => {
    await lending.db.deleteFrom('residency_policy').where('country', 'in', ['NL', 'SG']).execute()
    const { approval_id: id } = await read<Proposal>(
      `residency seed-sample --reason board ${by('ada')}`,
    )
    await cli.read('residency set --country NL --type individual --deny')
    const before = await rules()
    expect(await fail(`approvals confirm ${id} ${by('grace')}`)).toMatchObject({
      code: 'approval_not_open',
    })
    expect(await rules()).toEqual(before)
  })

  test('what a removed operator has proposed is not done', async () => {
    await cli.read('operators invite --email leaver@lender.example --role admin')
    const { approval_id: id } = await read<Proposal>(`${set} --reason board ${by('leaver')}`)
    await cli.read('operators remove leaver@lender.example')
    expect(await fail(`approvals confirm ${id} ${by('grace')}`)).toMatchObject({
      code: 'approval_not_open',
      message: 'leaver@lender.example, who proposed it, may not do it any more.',
    })
  })

  test('two who confirm at the same time do it once', async () => {
    const { approval_id: id } = await propose()
    const runs = await Promise.all(
      ['grace', 'risk'].map((name) =>
        cli.run(`approvals confirm ${id} ${by(name)}`, { env, now: lending.now() }),
      ),
    )
    expect(runs.map(({ exitCode }) => exitCode).sort((a, b) => a - b)).toEqual([0, 1])
    const done = (await actionsOf(subject)).filter(({ action }) => action === 'residency.set')
    expect(done).toHaveLength(1)
  })

  test('a failed check is overridden by two, one that waits is approved by one', async () => {
    const { borrowerId } = await addDrawnFacility(lending, usd(100_00n))
    const setKyc = (status: string) =>
      sql`UPDATE compliance_checks SET status = ${status},
          decided_at = ${status === 'failed' ? new Date() : null}
        WHERE borrower_id = ${borrowerId} AND kind = 'kyc'`.execute(lending.db)
    const review = `borrowers review ${borrowerId} --tenant ${lending.tenantId} --approve --note seen`
    await setKyc('review')
    expect(await read(`${review} ${by('reviewer')}`)).toMatchObject({ checks_decided: 1 })
    await setKyc('failed')
    const proposal = await read<Proposal>(`${review} ${by('reviewer')}`)
    expect(proposal).toMatchObject({ status: 'PENDING', action: 'borrowers.approve' })
    const statusNow = async () =>
      (
        await lending.db
          .selectFrom('compliance_checks')
          .select('status')
          .where('borrower_id', '=', borrowerId)
          .where('kind', '=', 'kyc')
          .executeTakeFirst()
      )?.status
    expect(await statusNow()).toBe('failed')
    await read(`approvals confirm ${proposal.approval_id} ${by('ada')}`)
    expect(await statusNow()).toBe('passed')
  })

  test('a block is set by one and released by two', async () => {
    const { borrowerId } = await addDrawnFacility(lending, usd(100_00n))
    const of = `${borrowerId} --tenant ${lending.tenantId}`
    await read(`borrowers block ${of} --reason court ${by('reviewer')}`)
    const { approval_id: id } = await read<Proposal>(
      `borrowers unblock ${of} --reason released ${by('reviewer')}`,
    )
    const isBlocked = async () => {
      const row = await lending.db
        .selectFrom('borrowers')
        .select('blocked_at')
        .where('borrower_id', '=', borrowerId)
        .executeTakeFirstOrThrow()
      return row.blocked_at !== null
    }
    expect(await isBlocked()).toBe(true)
    await read(`approvals confirm ${id} ${by('risk')}`)
    expect(await isBlocked()).toBe(false)
  })

  test('a refund is redirected by two, and not when its payment is under way by then', async () => {
    const { id: facilityId } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.payments.next = ['done', 'refused']
    await repay(lending, facilityId, usd(20_500_00n))
    await settle(lending)
    const { items } = await read<{ items: { id: string }[] }>('refunds list')
    const refundId = items[0]?.id
    const redirect = (to: string) =>
      read<Proposal>(
        `refunds redirect ${refundId} --tenant ${lending.tenantId} --destination ${to} --reason closed ${by('risk')}`,
      )
    const first = await redirect('account-2')
    const ordered = sql`UPDATE refunds SET ordered = refusals WHERE refund_id = ${refundId}`
    await ordered.execute(lending.db)
    expect(await fail(`approvals confirm ${first.approval_id} ${by('ada')}`)).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('is under way'),
    })
    await sql`UPDATE refunds SET ordered = NULL WHERE refund_id = ${refundId}`.execute(lending.db)
    await read(`approvals confirm ${first.approval_id} ${by('ada')}`)
    await settle(lending)
    expect([...lending.payments.effects.values()]).toContainEqual({
      ...{ amount: usd(500_00n), destination: 'account-2' },
    })
  })
})

test('without four eyes the same acts are done at once', async () => {
  const before = await rules()
  await cli.read(set, { env: { FOUR_EYES: 'off' }, now: lending.now() })
  expect(await rules()).toHaveLength(before.length + 1)
})
