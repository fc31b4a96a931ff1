import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { WebhookEvent } from '../../src/client/resources/resources.ts'
import { openInbox } from '../../src/svc/story/inbox.ts'
import { startTestApi } from '../support/api/api.ts'
import {
  addApproved,
  addDraw,
  lendingApiForFile,
  startLendingApi,
} from '../support/lending/lending-api.ts'
import { addStories, createSvc } from './svc-program.ts'

test('the margin story is played to its end, each step a line for programs', async () => {
  await using api = await startLendingApi()
  using svc = createSvc(api)
  const { exitCode, out, err } = await svc.run(['story', 'margin'])
  expect(err).toBe('')
  expect(exitCode).toBe(0)
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toMatchObject({ done: true })
  const events = lines.flatMap(({ topic, event }) => (topic === 'Delivery' ? [event] : []))
  expect(events[0]).toMatchObject({ type: 'borrower.eligible', resource: { type: 'borrower' } })
  expect(lines.filter(({ event }) => event).length).toBe(events.length)
  const printed = lines.flatMap((line) => line.lines ?? [])
  for (const step of ['cured by collateral', 'cured by repayment', 'margin_call.completed']) {
    expect(
      printed.some((text) => text.includes(step)),
      step,
    ).toBe(true)
  }
  expect(out).not.toContain('\\u001b')
  expect(await api.tenant.client.setSandboxPrice('BTC', null)).toMatchObject({
    price_usd: '100000',
  })
})

test('the deficit story charges off what a sale leaves, and recovers it', async () => {
  await using api = await startLendingApi()
  using svc = createSvc(api)
  const { exitCode, out, err } = await svc.run(['story', 'deficit'])
  expect([exitCode, err]).toEqual([0, ''])
  expect(out).toContain('charged_off')
  const { items } = await api.tenant.client.listFacilities()
  const { charged_off: lost } = items[0] ?? {}
  // Interest was paid by the sale before principal.
  expect(lost).toEqual({ principal: lost?.recovered, interest: '0.00', recovered: lost?.recovered })
  expect(Number(lost?.recovered)).toBeGreaterThan(8_000)
})

test('a story ends at once when the user stops it', async () => {
  await using api = await startTestApi()
  using svc = createSvc(api)
  const playing = svc.start(['story', 'loan'])
  // No worker runs here: it waits for an event that does not come.
  await playing.waitForLine((line) => line.topic === 'Signature')
  expect(await playing.stop()).toBe(1)
})

test('the loan story is played at the market price, whatever price was set before', async () => {
  await using api = await startLendingApi()
  using svc = createSvc(api)
  await svc.read('sandbox', 'price', 'BTC', '20000')
  const { exitCode, err } = await svc.run(['story', 'loan'])
  expect([exitCode, err]).toEqual([0, ''])
})

test('a story ends at the event of a failure, with its code and how to reset the sandbox', async () => {
  await using api = await startLendingApi()
  using svc = createSvc(api)
  await svc.read('sandbox', 'payments', 'fail')
  const { exitCode, err } = await svc.run(['story', 'loan'])
  expect(exitCode).toBe(1)
  expect(JSON.parse(err).error.message).toMatch(
    /^draw\.failed came, not draw\.completed: sandbox_refused\. .*svc sandbox price BTC market/,
  )
})

test('a story neither shows nor waits for events about other borrowers and facilities', async () => {
  const shown: string[] = []
  const inbox = openInbox((event) => shown.push(event.resource.id))
  inbox.include('bor_mine')
  const decide = (borrowerId: string, facilityId: string) => {
    const data = { facility_id: facilityId, borrower_id: borrowerId, decision: 'approved' }
    const resource = { type: 'facility', id: facilityId }
    const event = { id: 'evt_1', type: 'facility.decisioned', sequence: 1, resource, data }
    inbox.accept(event as unknown as WebhookEvent, 'from the log', '')
  }
  const warn = (facilityId: string) => {
    const resource = { type: 'margin_warning', id: `${facilityId}/1` }
    const data = { facility_id: facilityId, number: 1 }
    const event = { id: 'evt_2', type: 'margin_warning.raised', sequence: 2, resource, data }
    inbox.accept(event as unknown as WebhookEvent, 'from the log', '')
  }
  decide('bor_other', 'fac_other')
  warn('fac_other')
  decide('bor_mine', 'fac_mine')
  warn('fac_mine')
  expect(shown).toEqual(['fac_mine', 'fac_mine/1'])
  const waited = await inbox.waitFor('margin_warning.raised', 'fac_mine/1')
  expect(waited.resource.id).toBe('fac_mine/1')
})

describe('beside a loan that is open', () => {
  const api = lendingApiForFile()
  let loan: string
  beforeAll(async () => {
    const { id } = await addApproved(api.tenant)
    await addDraw(api.tenant, id, '20000.00')
    loan = id
  })

  const subjectsOf = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .flatMap(({ event }) => (event ? [event.resource.id] : []))

  test('a story is played in the tenant for stories, and does not change an open loan, its price or its clock', async () => {
    using svc = createSvc(api)
    const stories = await addStories(svc, api)
    const { client } = api.tenant
    await client.setSandboxPrice('BTC', '90000')
    const before = await client.getFacility(loan)
    const { exitCode, out, err } = await svc.run(['story', 'margin'])
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toContain('margin_call.completed')
    expect(out).not.toContain(loan)

    const after = await client.getFacility(loan)
    const { clock_offset_ms: aheadMs } = await api.db
      .selectFrom('tenants')
      .select('clock_offset_ms')
      .where('tenant_id', '=', api.tenant.id)
      .executeTakeFirstOrThrow()
    expect(aheadMs).toBe(0n)
    expect(after).toMatchObject({ state: 'APPROVED', health: 'HEALTHY' })
    expect(after.outstanding.principal).toBe(before.outstanding.principal)
    expect(after.collateral_value_usd).toBe(before.collateral_value_usd)
    const { items } = await client.listEvents({ limit: 500 })
    expect(items.filter(({ type }) => type.startsWith('margin_'))).toEqual([])
    const played = await stories.client.listFacilities()
    expect(played.items).toMatchObject([{ state: 'CLOSED' }])
    await client.setSandboxPrice('BTC', null)
  })

  test.each([
    ['with --own-tenant', ['--own-tenant'], true],
    ['where no tenant for stories is known', [], false],
  ])(
    'a story in the tenant of an open loan is refused %s, and names the loan and the remedy',
    async (_, flags, isSeeded) => {
      using svc = createSvc(api)
      if (isSeeded) await addStories(svc, api)
      const { exitCode, out, err } = await svc.run(['story', 'margin', ...flags])
      expect([exitCode, out]).toEqual([1, ''])
      expect(JSON.parse(err).error).toEqual({
        code: 'story',
        message: expect.stringMatching(new RegExp(`^${loan} owes 20000\\.\\d\\d USD\\. .*--force`)),
      })
    },
  )

  test.each(['scripts/demo.ts', 'docs/examples/stories/price.ts'])(
    '%s is refused beside an open loan, and names the loan and the remedy',
    async (program) => {
      using svc = createSvc(api)
      const started = spawn(process.execPath, [program], {
        env: { ...process.env, LOCAL_DIR: svc.folder },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const [printed, [exitCode]] = await Promise.all([text(started.stderr), once(started, 'exit')])
      expect(exitCode).toBe(1)
      expect(printed).toMatch(new RegExp(`^${loan} owes .*--force`))
    },
  )

  test('a story that is forced prints no event of the open loan', async () => {
    using svc = createSvc(api)
    const { exitCode, out, err } = await svc.run(['story', 'loan', '--own-tenant', '--force'])
    expect([exitCode, err]).toEqual([0, ''])
    expect(subjectsOf(out)).not.toContain(loan)
    expect(subjectsOf(out).length).toBeGreaterThan(5)
  })
})
