import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportClock } from '../docs/examples/stories/clock.ts'
import { reportCompliance } from '../docs/examples/stories/compliance.ts'
import { reportCorrection } from '../docs/examples/stories/correction.ts'
import { reportCustodian } from '../docs/examples/stories/custodian.ts'
import { reportCustody } from '../docs/examples/stories/custody.ts'
import { reportForesight } from '../docs/examples/stories/foresight.ts'
import { reportHold } from '../docs/examples/stories/hold.ts'
import { reportPayments } from '../docs/examples/stories/payments.ts'
import { reportPrice } from '../docs/examples/stories/price.ts'
import { playEvidence } from '../scripts/examples/evidence.ts'
import { createLocalCli, playHardDays } from '../scripts/examples/hard-days.ts'
import { createClient } from '../src/client/client.ts'
import type { TestApi } from './support/api/api.ts'
import { startLendingApi } from './support/lending/lending-api.ts'
import { createTemporaryFolder } from './support/process/temporary-folder.ts'
import { createSvc } from './svc/svc-program.ts'

/** Providers take their seconds, and the stories share what the machine has. */
const PATIENCE_MS = 90_000

const ENCRYPTION_KEYS = `test:${randomBytes(32).toString('base64')}`

let api: TestApi
beforeAll(async () => {
  api = await startLendingApi({ env: { ENCRYPTION_KEYS } })
})
afterAll(() => api[Symbol.asyncDispose]())

const loan = ['borrower.eligible', 'facility.decisioned']
const payOff = ['repayment.applied', 'facility.closed']

test.concurrent.for([
  [
    'price',
    reportPrice,
    [...loan, 'draw.completed', 'margin_warning.raised', 'margin_warning.cured', ...payOff],
  ],
  [
    'clock',
    reportClock,
    [
      ...loan,
      'draw.completed',
      'margin_warning.raised',
      'margin_warning.escalated',
      'margin_call.started',
      'margin_call.completed',
      ...payOff,
    ],
  ],
  [
    'foresight',
    reportForesight,
    [...loan, 'draw.completed', 'margin_warning.raised', 'margin_warning.cured', ...payOff],
  ],
  ['compliance', reportCompliance, ['borrower.eligible']],
  ['custodian', reportCustodian, [...loan, 'draw.failed', 'draw.completed', ...payOff]],
  [
    'custody',
    reportCustody,
    [
      ...[...loan, 'draw.completed', 'margin_warning.raised', 'margin_warning.cured'],
      ...['margin_warning.raised', 'margin_warning.cured', ...payOff],
    ],
  ],
  [
    'correction',
    reportCorrection,
    [
      ...[...loan, 'draw.completed', 'margin_warning.raised', 'facility.corrected'],
      ...['margin_warning.cured', ...payOff],
    ],
  ],
  [
    'hold',
    reportHold,
    [
      ...[...loan, 'draw.completed', 'margin_warning.raised', 'facility.held'],
      ...['facility.released', 'margin_warning.cured', ...payOff],
    ],
  ],
  [
    'payments',
    reportPayments,
    [...loan, 'draw.failed', 'draw.completed', 'repayment.failed', 'repayment.applied', ...payOff],
  ],
] as const)(
  'the story of docs/examples/stories/%s.ts prints the events of its page',
  { timeout: PATIENCE_MS },
  async ([, play, types], context) => {
    const { client } = await api.addTenant()
    const lines: string[] = []
    await play({ client, print: (text) => lines.push(text) })
    const events = lines.flatMap((line) => /^ {2}(\w+\.\w+) /.exec(line)?.[1] ?? [])
    context.expect(events).toEqual(types)
  },
)

test('each command of docs/hard-days.md runs, in its order', { timeout: PATIENCE_MS }, async () => {
  using folder = createTemporaryFolder()
  const { id: tenantId, keyId, privateKeyPem } = await api.addTenant()
  const { databaseUrl } = api.resources.config
  // It asks again, as `npm run examples` does: the API has not read a version that took effect before it was stored.
  const client = createClient({ baseUrl: api.baseUrl, keyId, privateKeyPem })
  const lines: string[] = []
  const story = { client, print: (text: string) => lines.push(text) }
  const cli = createLocalCli({ databaseUrl, encryptionKeys: ENCRYPTION_KEYS })
  const commands = await playHardDays({ story, cli, tenantId, folder: folder.path })
  const run = lines.flatMap((line) => /^ {2}lending (.*)$/.exec(line)?.[1] ?? [])
  expect(run).toEqual(commands)
  expect(commands.length).toBeGreaterThan(12)
})

test('each command of docs/evidence.md runs, in its order', { timeout: PATIENCE_MS }, async () => {
  const tenant = await api.addTenant()
  await reportClock({ client: tenant.client, print: () => undefined })
  const { databaseUrl } = api.resources.config
  const cli = createLocalCli({ databaseUrl, encryptionKeys: ENCRYPTION_KEYS })
  using svc = createSvc({ ...api, tenant })
  const now = new Date()
  const commands = await playEvidence({
    ...{ client: tenant.client, baseUrl: api.baseUrl, folder: svc.folder },
    // The story has set the tenant's clock a month ahead.
    ...{ tenantId: tenant.id, month: now.toISOString().slice(0, 7) },
    svc: (argv) => svc.read(...argv),
    cli: (argv) => cli([...argv, '--json'], now),
    shell: (command, cwd) => promisify(execFile)('sh', ['-c', command], { cwd, timeout: 30_000 }),
  })
  expect(commands.map((command) => command.split(' ')[0]).join(' ')).toBe(
    'npm curl npm python3 npm npm jq',
  )
})

test('the loan of docs/start.md ends with a closed facility', async () => {
  const page = readFileSync(new URL('../docs/start.md', import.meta.url), 'utf8')
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? []
  using folder = createTemporaryFolder()
  const { keyId, privateKeyPem } = await api.addTenant()
  const credentials = { base_url: api.baseUrl, key_id: keyId, private_key_pem: privateKeyPem }
  writeFileSync(join(folder.path, 'sandbox.json'), JSON.stringify(credentials))
  const argv = ['--input-type=module-typescript', '--eval', program]
  const env = { ...process.env, LOCAL_DIR: folder.path }
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env })
  expect(stdout).toContain("state: 'CLOSED'")
  expect(stdout).toContain("principal: '0.00'")
}, 30_000)
