// npm run examples: runs docs/examples against the sandbox and over the published vectors, makes
// clients, runs the commands of docs/hard-days.md and docs/evidence.md, and records the result in
// docs/examples/verified.json. Needs OpenSSL, curl, jq, Go, and Python with `cryptography` and venv.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Client, createClient } from '../src/client/client.ts'
import { addMs, DAY_MS, monthStart } from '../src/core/time.ts'
import { findRunningStack } from '../src/local/running-stack.ts'
import { readCredentials } from '../src/svc/credentials.ts'
import { post } from '../src/svc/listen/forward.ts'
import { makeSecret, readKeptSecret } from '../src/svc/listen/webhook-secret.ts'
import { hashExamples, readVectors, type Vectors } from './examples/documented.ts'
import { playEvidence } from './examples/evidence.ts'
import { checkGeneratedClients } from './examples/generated-clients.ts'
import { createLocalCli, playHardDays } from './examples/hard-days.ts'

const EXAMPLES = 'docs/examples'
const SIGNERS = ['signed-request.ts', 'signed-request.sh', 'signed-request.py', 'signed-request.go']
const RECEIVERS = ['webhook-receiver.ts']
const RUNNERS: Record<string, string[]> = {
  ts: ['node'],
  sh: ['sh'],
  py: ['python3'],
  go: ['go', 'run'],
}

const { LOCAL_DIR } = process.env
const credentials = readCredentials({}, { LOCAL_DIR })
const client = createClient(credentials)
const vectors = readVectors()
checkPython(vectors)
checkGo('signed-request.go', 'sign_test.go', vectors)
for (const signer of SIGNERS) checkSigner(signer)
const secret = readKeptSecret(credentials) ?? (await makeKeptSecret())
for (const file of RECEIVERS) await checkReceiver({ file, command: commandOf(file) })
await checkStandardReceiver()
await checkGeneratedClients()
await checkHardDays()
await checkEvidence()
writeFileSync(`${EXAMPLES}/verified.json`, `${JSON.stringify(hashExamples(), null, 2)}\n`)
console.log(`Noted in ${EXAMPLES}/verified.json`)

/** The commands of the operators' page, on the database of the stack. */
async function checkHardDays(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hard-days-'))
  const tenantId = readTenantId()
  const stack = findRunningStack(LOCAL_DIR ?? '.local')
  if (!stack) throw new Error('No local stack runs: start one by npm start.')
  try {
    const story = { client, print: () => undefined }
    const commands = await playHardDays({ story, cli: createLocalCli(stack), tenantId, folder })
    console.log(`Hard days   ${commands.length} commands run as documented`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The commands of the page about evidence, on a sale that is made for it. */
async function checkEvidence(): Promise<void> {
  const svc = (argv: readonly string[]) => run(['node', 'src/svc/svc.ts', ...argv, '--json'])
  svc(['story', 'margin', '--own-tenant', '--force'])
  const lastMonth = addMs(monthStart(new Date()), -DAY_MS)
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
  try {
    const commands = await playEvidence({
      ...{ client, baseUrl: credentials.baseUrl, folder },
      ...{ tenantId: readTenantId(), month: lastMonth.toISOString().slice(0, 7) },
      svc: async (argv) => svc(argv),
      cli: async (argv) => run(['node', 'src/cli.ts', ...argv, '--json']),
      shell: (command, cwd) => run(['sh', '-c', command], { cwd }),
    })
    console.log(`Evidence    ${commands.length} commands run as documented`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readTenantId(): string {
  const file = readFileSync(join(LOCAL_DIR ?? '.local', 'sandbox.json'), 'utf8')
  return JSON.parse(file).tenant_id
}

async function makeKeptSecret(): Promise<string> {
  const made = await makeSecret(client, credentials)
  if (made.note !== undefined) console.log(made.note)
  return made.secret
}

/** Runs a program to its end and gives its output; throws when it is missing or fails. */
function run([tool = '', ...args]: string[], options: { input?: string; cwd?: string } = {}) {
  const result = spawnSync(tool, args, { encoding: 'utf8', ...options })
  if (result.error) throw new Error(`${tool} cannot be run here: ${result.error.message}`)
  if (result.status !== 0) {
    throw new Error(`${tool} ${args.join(' ')}\n${result.stdout}${result.stderr}`)
  }
  return result.stdout
}

function commandOf(file: string): string[] {
  return [...(RUNNERS[file.slice(file.lastIndexOf('.') + 1)] ?? []), `${EXAMPLES}/${file}`]
}

function checkPython({ private_key_pem, requests }: Vectors): void {
  const input = JSON.stringify({ private_key_pem, requests })
  const signatures = run(['python3', 'scripts/examples/vectors.py'], { input })
  if (signatures !== `${JSON.stringify(requests.map(({ signature }) => signature))}\n`) {
    throw new Error(`Python differs from the vectors: ${signatures}`)
  }
  console.log(`Python      ${requests.length} signatures as documented`)
}

function checkGo(example: string, harness: string, documented: Vectors): void {
  const work = mkdtempSync(join(tmpdir(), 'examples-'))
  try {
    cpSync(`${EXAMPLES}/${example}`, join(work, example))
    cpSync(`scripts/examples/${harness}`, join(work, harness))
    writeFileSync(join(work, 'go.mod'), 'module example\n\ngo 1.21\n')
    writeFileSync(join(work, 'vectors.json'), JSON.stringify(documented))
    run(['go', 'test', '.'], { cwd: work })
    console.log(`Go          ${example} as documented`)
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** The service answers 200 and 201 to a correct signature. */
function checkSigner(file: string): void {
  const output = run(commandOf(file))
  if (!/\b200\b/.test(output) || !/\b201\b/.test(output)) throw new Error(`${file}:\n${output}`)
  console.log(`Service     answers 200 and 201 to ${file}`)
}

/** A ready-made verifier of Standard Webhooks, in an environment of its own. */
async function checkStandardReceiver(): Promise<void> {
  const file = 'standard-receiver.py'
  const folder = mkdtempSync(join(tmpdir(), 'standard-'))
  try {
    run(['python3', '-m', 'venv', folder])
    run([join(folder, 'bin/pip'), 'install', '-q', 'standardwebhooks'])
    await checkReceiver({ file, command: [join(folder, 'bin/python'), `${EXAMPLES}/${file}`] })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Accepts a signed delivery and refuses a forged one. */
async function checkReceiver({ file, command }: { file: string; command: string[] }) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/`
  const webhookId = await client.registerWebhook({ url, label: file })
  const [tool = '', ...args] = command
  // In its own group: `go run` starts the built program as a child.
  const child = spawn(tool, args, {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, WEBHOOK_SECRET: secret, RECEIVER_PORT: String(port) },
  })
  try {
    const answers = [await knock(client, webhookId, child)]
    const timestamp = Math.floor(Date.now() / 1_000).toString()
    const forged = await post(url, '{}', {
      'X-SVC-Webhook-Timestamp': timestamp,
      'X-SVC-Webhook-Signature': `sha256=${'0'.repeat(64)}`,
      'webhook-id': 'evt_forged',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    })
    answers.push(forged.status ?? 0)
    if (answers.join() !== '204,400') throw new Error(`${file} answered ${answers}`)
    console.log(`Deliveries  taken and refused as they should be by ${file}`)
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await client.deleteWebhook(webhookId)
  }
}

/** Until the receiver listens, there is no answer. */
async function knock(
  lender: Client,
  webhookId: string,
  child: { exitCode: number | null },
): Promise<number> {
  for (;;) {
    const status = await simulate(lender, webhookId)
    if (status !== 0) return status
    if (child.exitCode !== null) throw new Error('The receiver has ended.')
    await setTimeout(1_000)
  }
}

async function simulate(lender: Client, webhookId: string): Promise<number> {
  const { response } = await lender.simulateDelivery({
    webhook_id: webhookId,
    event_type: 'borrower.eligible',
    data: { borrower_id: 'bor_example' },
  })
  return response.status
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(new Error('No port')),
      )
    })
  })
}
