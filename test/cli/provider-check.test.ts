import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandboxCompliance } from '../../src/providers/sandbox/compliance-sandbox.ts'
import { type Mistake, startAdapter, type TestAdapter } from '../support/servers/adapter.ts'
import { listen } from '../support/servers/misbehaving-server.ts'
import { run } from './database-cli.ts'

let adapter: TestAdapter
let wrong: TestAdapter
let environment: Record<string, string>
let callbackUrl: string | undefined
beforeAll(async () => {
  const options = {
    ports: { identity: createSandboxCompliance().identity },
    clock: () => new Date(),
    callbackUrl: () => callbackUrl,
  }
  const mistake: Mistake = { unchecked: 'token' }
  adapter = await startAdapter(options)
  wrong = await startAdapter({ ...options, mistake })
  environment = {
    KYC_TOKEN: adapter.token,
    KYC_SIGNING_SECRET: adapter.signingSecret,
    KYC_CALLBACK_SECRETS: adapter.callbackSecret,
  }
})
afterAll(async () => {
  await adapter[Symbol.asyncDispose]()
  await wrong[Symbol.asyncDispose]()
})

const check = (url: string, args: string[] = [], env = environment) =>
  run(['providers', 'check', 'compliance', url, ...args], { env })

async function findFreePort(): Promise<number> {
  await using server = await listen(createServer())
  return server.port
}

test('the check says what it will do, plays the contract over HTTP, and ends with 0 if nothing is wrong', async () => {
  const port = await findFreePort()
  callbackUrl = `http://127.0.0.1:${port}/callbacks/kyc`
  const done = await check(adapter.url, ['--callbacks', String(port), '--yes'])
  callbackUrl = undefined
  expect(done.error).toBe(
    `The check has a person and a business checked, under svc-check@example.com. It calls ${adapter.url} for the tenant ten_00000000000000000000000000, by contract 1. It listens for POST /callbacks/kyc on port ${port}.\n`,
  )
  expect(done.exitCode).toBe(0)
  expect(done.out).toContain('right      checks, pending: pending, then passed\n')
  expect(done.out).toContain('right      callbacks, about a pending call: as the contract says\n')
  expect(done.out).toMatch(/\n\d\d right, 0 wrong, 0 not shown\.\n$/)
})

test('what is wrong is printed with what the contract says, and the exit code is 1', async () => {
  const done = await check(wrong.url, ['--yes'])
  expect(done.exitCode).toBe(1)
  expect(done.out).toContain(`
wrong      checks, with another token: answered 200
           The contract: Answer 401 to a call that does not verify or has another token, and do nothing.
`)
  const { exitCode, out } = await check(wrong.url, ['--yes', '--json'])
  expect(exitCode).toBe(1)
  const { steps, ...counts } = JSON.parse(out)
  expect(counts).toMatchObject({ provider: 'compliance', url: wrong.url, wrong: 1, not_shown: 1 })
  expect(steps).toContainEqual({
    ...{ call: 'checks', step: 'with another token', result: 'wrong', found: 'answered 200' },
    contract: 'Answer 401 to a call that does not verify or has another token, and do nothing.',
  })
})

test('the check calls nothing without a yes, a secret or a port that is free', async () => {
  const unasked = await check(adapter.url)
  expect(unasked).toMatchObject({ exitCode: 1, out: '' })
  expect(unasked.error).toContain('give --yes')
  const bare = await check(adapter.url, ['--yes'], {})
  expect(bare).toMatchObject({ exitCode: 1, out: '' })
  expect(bare.error).toMatch(/^KYC_TOKEN .*\nKYC_SIGNING_SECRET /m)
  const { KYC_CALLBACK_SECRETS: _secrets, ...unsigned } = environment
  const listening = await check(adapter.url, ['--callbacks', '9401', '--yes'], unsigned)
  expect(listening.error).toContain('KYC_CALLBACK_SECRETS must be set')
  await using taken = await listen(createServer(), null)
  const busy = await check(adapter.url, ['--callbacks', String(taken.port), '--yes'])
  expect(busy).toMatchObject({ exitCode: 1, out: '' })
  expect(busy.error).toContain(`Port ${taken.port} cannot be used`)
})

test('an adapter that does not answer is wrong at each call, and the check comes to its end', async () => {
  const port = await findFreePort()
  const done = await check(`http://127.0.0.1:${port}`, ['--yes'])
  expect(done.exitCode).toBe(1)
  expect(done.out).toContain('wrong      checks, first: no answer: connect ECONNREFUSED')
})
