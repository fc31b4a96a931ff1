import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { hashExamples } from '../scripts/examples/documented.ts'
import { keyId, privateKeyPem, startStubService } from './client/stub-service.ts'
import { createTemporaryFolder } from './support/process/temporary-folder.ts'
import { listen } from './support/servers/misbehaving-server.ts'

const verified = readFileSync(new URL('../docs/examples/verified.json', import.meta.url), 'utf8')

// Running them takes Go, Python, OpenSSL and curl, which not every machine has; a person who changes one
// of them, or the vectors, has to.
test('each example is unchanged since it was last run (else: npm run examples)', () => {
  expect(hashExamples()).toEqual(JSON.parse(verified))
})

const node = process.execPath

test.concurrent.for([
  ['no stack has run', [node, 'signed-request.ts'], /sandbox\.json.*npm start/],
  ['no stack has run', ['sh', 'signed-request.sh'], /sandbox\.json.*npm start/],
  ['no stack has run', [node, 'stories/price.ts'], /sandbox\.json.*npm start/],
  ['no stack has run', [node, 'register-webhook.ts', 'http://a.test/'], /sandbox\.json.*npm start/],
  ['there is no address', [node, 'register-webhook.ts'], /http:\/\/127\.0\.0\.1:9000/],
  ['there is no secret', [node, 'webhook-receiver.ts'], /WEBHOOK_SECRET/],
] as const)(
  'where %s, %j reports it in one line and fails',
  async ([, [tool, ...args], expected], context) => {
    using folder = createTemporaryFolder()
    const { exitCode, out, errors } = await run(tool, args, { LOCAL_DIR: folder.path })
    context.expect([exitCode, out]).toEqual([1, ''])
    context.expect(errors).toMatch(expected)
    context.expect(errors.trim().split('\n')).toHaveLength(1)
  },
)

test.concurrent.for([
  ['signed-request.ts'],
  ['stories/price.ts'],
  ['register-webhook.ts', 'http://127.0.0.1:9000/'],
] as const)('where the stack no longer runs, %j reports it in one line', async (args, context) => {
  using folder = createTemporaryFolder()
  const sandbox = {
    base_url: 'http://127.0.0.1:1',
    key_id: keyId,
    private_key_pem: privateKeyPem,
  }
  writeFileSync(join(folder.path, 'sandbox.json'), JSON.stringify(sandbox))
  const { exitCode, out, errors } = await run(node, args, { LOCAL_DIR: folder.path })
  context.expect(exitCode).toBe(1)
  if (args[0] === 'register-webhook.ts') context.expect(out).toBe('')
  context.expect(errors).toMatch(/^.*npm start runs it\.\n$/)
})

test('a receiver reports in one line that its port is in use', async () => {
  await using server = await listen(createServer())
  const env = { WEBHOOK_SECRET: 'whsec_x', RECEIVER_PORT: String(server.port) }
  const { exitCode, errors } = await run(node, ['webhook-receiver.ts'], env)
  expect(exitCode).toBe(1)
  expect(errors).toMatch(/^.*EADDRINUSE.*RECEIVER_PORT.*\n$/)
})

test('the program of docs/first-steps.md runs in the checkout, on the stack of LOCAL_DIR', async () => {
  const page = readFileSync(new URL('../docs/first-steps.md', import.meta.url), 'utf8')
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? []
  using folder = createTemporaryFolder()
  await using stub = await startStubService([{ status: 201, body: '{"id":"bor_1"}' }])
  const sandbox = { base_url: stub.baseUrl, key_id: keyId, private_key_pem: privateKeyPem }
  writeFileSync(join(folder.path, 'sandbox.json'), JSON.stringify(sandbox))
  const args = ['--input-type=module-typescript', '--eval', program]
  const { exitCode, out } = await runTool(node, args, { LOCAL_DIR: folder.path })
  expect([exitCode, out]).toEqual([0, "{ id: 'bor_1' }\n"])
  expect(stub.requests.map((request) => request.signatureHolds)).toEqual([true])
})

test('the commands of docs/start.md make a sandbox.json of the file that the console saves', async () => {
  const page = readFileSync(new URL('../docs/start.md', import.meta.url), 'utf8')
  const [, commands = ''] = /^```sh\n(umask.*?)^```/ms.exec(page) ?? []
  using folder = createTemporaryFolder()
  writeFileSync(join(folder.path, `${keyId}.pem`), privateKeyPem)
  const { exitCode, errors } = await runTool('sh', ['-c', `cd ${folder.path} && ${commands}`], {})
  expect([exitCode, errors]).toEqual([0, ''])
  expect(JSON.parse(readFileSync(join(folder.path, 'sandbox.json'), 'utf8'))).toEqual({
    base_url: 'https://sandbox.example.com',
    key_id: keyId,
    private_key_pem: privateKeyPem,
  })
})

test('loan.ts of docs/start.md ends with a sentence when the application is declined', async () => {
  const page = readFileSync(new URL('../docs/start.md', import.meta.url), 'utf8')
  const [program = ''] = [...page.matchAll(/^```ts\n(.*?)^```/gms)].flatMap(([, found = '']) =>
    found.includes('createFacility') ? [found] : [],
  )
  const answers = [
    '{"id":"bor_1"}',
    '{"items":[]}',
    '{"eligible":true}',
    '{"applied":true}',
    '{"id":"fac_1","state":"PENDING"}',
    '{"state":"PENDING"}',
    '{"state":"DECLINED"}',
    '{"state":"DECLINED","decline_reasons":["portfolio_stale","deficit_owed"]}',
  ]
  using folder = createTemporaryFolder()
  await using stub = await startStubService(answers.map((body) => ({ status: 200, body })))
  const sandbox = { base_url: stub.baseUrl, key_id: keyId, private_key_pem: privateKeyPem }
  writeFileSync(join(folder.path, 'sandbox.json'), JSON.stringify(sandbox))
  const args = ['--input-type=module-typescript', '--eval', program]
  const { exitCode, out, errors } = await runTool(node, args, { LOCAL_DIR: folder.path })
  const sentence = 'The application was declined: portfolio_stale, deficit_owed.\n'
  expect([exitCode, out, errors]).toEqual([0, sentence, ''])
  expect(stub.requests).toHaveLength(answers.length)
})

/** Runs a program of docs/examples to its end. */
function run(tool: string, [file, ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  return runTool(tool, [`docs/examples/${file}`, ...args], env)
}

async function runTool(tool: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { WEBHOOK_SECRET: _, ...inherited } = process.env
  const child = spawn(tool, args, {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await exitCode, out, errors }
}
