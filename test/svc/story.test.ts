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
