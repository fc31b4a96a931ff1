import { expect, test } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { startLendingApi } from '../support/lending-api.ts'
import { createSvc } from './svc-program.ts'

test('the story of a margin day is played to its end, each step a line for programs', async () => {
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
  const told = lines.flatMap((line) => line.lines ?? [])
  for (const step of ['cured by collateral', 'cured by repayment', 'margin_call.completed']) {
    expect(
      told.some((text) => text.includes(step)),
      step,
    ).toBe(true)
  }
  expect(out).not.toContain('\\u001b')
  expect(await api.tenant.client.setSandboxPrice('BTC', null)).toMatchObject({
    price_usd: '100000',
  })
})

test('a story ends at once when the user has had enough', async () => {
  await using api = await startTestApi()
  using svc = createSvc(api)
  const playing = svc.start(['story', 'loan'])
  // No worker runs here: it waits for an event that does not come.
  await playing.waitForLine((line) => line.topic === 'Signature')
  expect(await playing.stop()).toBe(1)
})

test('a loan is played through at the market, whatever price was tried out before', async () => {
  await using api = await startLendingApi()
  using svc = createSvc(api)
  await svc.read('sandbox', 'price', 'BTC', '20000')
  const { exitCode, err } = await svc.run(['story', 'loan'])
  expect([exitCode, err]).toEqual([0, ''])
})

test('a story ends at the event of a failure, with its code and what sets the sandbox back', async () => {
  await using api = await startLendingApi()
  using svc = createSvc(api)
  await svc.read('sandbox', 'payments', 'fail')
  const { exitCode, err } = await svc.run(['story', 'loan'])
  expect(exitCode).toBe(1)
  expect(JSON.parse(err).error.message).toMatch(
    /^draw\.failed came, not draw\.completed: sandbox_refused\. .*svc sandbox price BTC market/,
  )
})
