import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { explainNoAnswer } from '../../src/svc/delivery-target.ts'
import type { TestApi } from '../support/api/api.ts'
import { startLendingApi } from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'
import { createSvc, run } from './svc-program.ts'

const signer = ['--name', 'Ada Example', '--email', 'ada@example.com']

let api: TestApi
let svc: ReturnType<typeof createSvc>
beforeAll(async () => {
  api = await startLendingApi()
  svc = createSvc(api)
})
afterAll(async () => {
  svc[Symbol.dispose]()
  await api[Symbol.asyncDispose]()
})

const COMMANDS = [
  ...['listen', 'trigger', 'replay', 'deliveries', 'retry'],
  ...['list', 'register', 'show', 'recover', 'delete'].map((name) => `webhooks ${name}`),
  ...['borrower create', 'borrower show', 'borrower sign', 'borrower signatures'],
  ...['portfolio push', 'portfolio source', 'story loan', 'story margin'],
  ...['facility create', 'facility show', 'facility list', 'facility margin'],
  ...['facility draw', 'facility repay', 'facility close', 'facility levels', 'facility preview'],
  ...['price', 'clock', 'compliance', 'holds', 'custodian', 'payments'].map(
    (name) => `sandbox ${name}`,
  ),
]

test.each(COMMANDS)('the help of %s has examples and needs no credentials', async (command) => {
  const { exitCode, out } = await run([...command.split(' '), '--help'])
  expect(exitCode).toBe(0)
  expect(out).toContain(`Usage: svc ${command}`)
  expect(out).toContain('--json')
  expect(out).toContain(`Examples:\n  $ svc ${command}`)
})

test('a borrower is created, signs and becomes eligible', async () => {
  const { id, eligible } = await svc.read('borrower', 'create', '--country', 'DE')
  expect(eligible).toBe(false)
  const signed = await svc.read('borrower', 'sign', id, ...signer)
  expect(signed.items).toMatchObject([{ full_name: 'Ada Example' }])
  expect(await svc.read('borrower', 'signatures', id)).toEqual(signed)
  await waitFor(async () => {
    expect(await svc.read('borrower', 'show', id)).toMatchObject({ eligible: true })
  })
})

test('what the custodian holds is set as a list, as nothing, or as pushed', async () => {
  const { id } = await svc.read('borrower', 'create', '--country', 'DE')
  const holds = (...texts: string[]) => svc.read('sandbox', 'holds', id, ...texts)
  expect(await holds('BTC=0.5', 'USDC=1000', '--late', '120')).toEqual({
    borrower_id: id,
    positions: [
      { asset: 'BTC', quantity: '0.5' },
      { asset: 'USDC', quantity: '1000' },
    ],
    late_seconds: 120,
  })
  expect(await holds('nothing')).toMatchObject({ positions: [], late_seconds: 0 })
  expect(await holds('pushed')).toMatchObject({ positions: null })
})

test('checks that wait for a decision are decided', async () => {
  const { id } = await svc.read('borrower', 'create', '--country', 'DE', '--not-attested')
  await svc.read('borrower', 'sign', id, ...signer)
  await waitFor(async () => {
    expect(await svc.read('sandbox', 'compliance', id, 'pass')).toEqual({
      decided: expect.any(Number),
    })
  })
})

test('a loan is applied for, drawn, repaid, followed and closed', async () => {
  const borrowerId = await addBorrowerWithBitcoin()
  const { id } = await svc.read('facility', 'create', borrowerId, '40000.00')
  await untilFacility(id, { state: 'APPROVED' })
  await svc.read('facility', 'draw', id, '1000.00', '--to', 'account-4711')
  await untilFacility(id, { outstanding: { principal: '1000.00', reserved: '0.00' } })

  const margin = await svc.read('facility', 'margin', id)
  expect(margin).toMatchObject({ collateral: { health: 'HEALTHY' }, warnings: [], calls: [] })
  await expectForesight(id)
  await expectStatement(id)
  const { total } = (await svc.read('facility', 'show', id)).outstanding
  expect(await svc.read('facility', 'repay', id, total)).toMatchObject({ status: 'REPORTED' })
  await untilFacility(id, { outstanding: { total: '0.00' } })
  await svc.read('facility', 'close', id)
  await untilFacility(id, { state: 'CLOSED' })
  const { items } = await svc.read(
    'facility',
    'list',
    '--borrower',
    borrowerId,
    '--state',
    'closed',
  )
  expect(items).toMatchObject([{ id }])
  // Nothing is held any more; what was warned of stays to be read.
  expect(await svc.read('facility', 'margin', id)).toEqual({ warnings: [], calls: [] })
  const { out } = await svc.run(['facility', 'margin', id, '--text'])
  expect(out).toContain('No margin warnings.')
})

async function expectStatement(id: string): Promise<void> {
  const { lines, closing } = await svc.read('facility', 'statement', id, '--daily')
  expect(lines[0]).toMatchObject({ type: 'draw', principal: '1000.00' })
  expect(closing.principal).toBe('1000.00')
  const printed = await svc.run(['facility', 'statement', id, '--text'])
  expect(printed.out).toMatch(/draw .*1000\.00/)
  const until = ['--to', new Date().toISOString(), '--csv']
  const table = await svc.run(['facility', 'statement', id, ...until])
  expect(table.out).toMatch(/^value_date,.*\r\n.*,opening,/)
  const at = new Date(Date.now() + 86_400_000).toISOString()
  expect(await svc.read('facility', 'payoff', id, '--at', at)).toMatchObject({
    at,
    per_day: '0.28',
  })
  const { out } = await svc.run(['facility', 'payoff', id, '--text'])
  expect(out).toContain('rises_at')
}

async function expectForesight(id: string): Promise<void> {
  const { levels } = await svc.read('facility', 'levels', id)
  expect(levels[0]).toMatchObject({ line: 'tier_1', reached: false })
  const { out } = await svc.run(['facility', 'levels', id, '--text'])
  expect(out).toMatch(/tier_1 .*BTC at 1472\.\d+/)

  const fall = ['--price', 'BTC=1400', '--price', 'USDC=1', '--days', '1']
  expect(await svc.read('facility', 'preview', id, ...fall)).toMatchObject({ health: 'WARNING' })
  const moved = ['--deposit', 'BTC=1', '--withdraw', 'ETH=1', '--repay', '500', '--draw', '50000']
  const shown = await svc.run(['facility', 'preview', id, ...moved, '--text'])
  expect(shown.out).toMatch(/refused +withdrawal \(not_held\), draw \(credit_limit_exceeded\)/)
  const wrong = await svc.run(['facility', 'preview', id, '--deposit', 'BTC'])
  expect(wrong.exitCode).toBe(2)
}

test('portfolios of many borrowers are pushed from one file, or the standard input', async () => {
  const ids = [await addBorrower(), await addBorrower()]
  const positions = [{ asset: 'BTC', quantity: '2' }]
  const file = join(svc.folder, 'portfolios.json')
  writeFileSync(file, JSON.stringify(ids.map((borrower_id) => ({ borrower_id, positions }))))
  const { items } = await svc.read('portfolio', 'push', file)
  expect(items).toMatchObject(ids.map((borrower_id) => ({ borrower_id, applied: true })))

  const old = JSON.stringify({ as_of: '2026-01-01T00:00:00Z', positions })
  const argv = ['portfolio', 'push', '-', '--borrower', ids[0] ?? '']
  const { out } = await svc.run(argv, { input: old })
  expect(JSON.parse(out).items).toMatchObject([{ applied: false }])
  expect(await svc.read('portfolio', 'source')).toEqual({ mode: 'push' })
  expect(await svc.read('portfolio', 'source', 'custodian')).toEqual({ mode: 'custodian' })
  await svc.read('portfolio', 'source', 'push')
})

test('a file without a valid portfolio is refused before anything is sent', async () => {
  for (const text of ['{', '[]x', '{"positions":[]}', '{"borrower_id":"bor_1"}', 'null', '[1]']) {
    const { exitCode, out, err } = await svc.run(['portfolio', 'push', '-'], { input: text })
    expect([exitCode, out], text).toEqual([2, ''])
    expect(JSON.parse(err).error).toMatchObject({ code: 'file' })
  }
})

test('an event is triggered, its delivery listed and tried again', async () => {
  let status = 500
  await using endpoint = await startEndpoint(() => ({ status, body: 'answer' }))
  const webhookId = await api.tenant.client.registerWebhook({ url: endpoint.url })

  const failed = await svc.run(['trigger', 'margin_warning.raised', '--data', '{"tier":3}'])
  expect(failed.exitCode).toBe(1)
  expect(JSON.parse(failed.out).response).toEqual({ status: 500, body: 'answer', error: null })
  expect(JSON.parse(endpoint.seen[0]?.rawBody ?? '').data).toMatchObject({ tier: 3, number: 1 })

  await svc.read('borrower', 'sign', await addBorrower(), ...signer)
  const { event_id: eventId } = await waitFor(async () => {
    const { items } = await svc.read('deliveries', '--state', 'pending')
    expect(items).toMatchObject([{ event_type: 'borrower.eligible', attempts: [{ status: 500 }] }])
    return items[0]
  })
  status = 204
  const retried = await svc.read('retry', eventId)
  expect(retried.items).toMatchObject([{ event_id: eventId, webhook_id: webhookId }])
  await waitFor(async () => {
    const { items } = await svc.read('deliveries', webhookId)
    expect(items).toMatchObject([{ state: 'delivered' }])
  })
  expect((await svc.run(['retry', eventId])).exitCode).toBe(1)
  expect((await svc.read('webhooks')).items).toMatchObject([{ id: webhookId, state: 'active' }])
  await api.tenant.client.deleteWebhook(webhookId)
})

test('a test event goes to the webhook of listen, else to the only active one', async () => {
  await using endpoint = await startEndpoint()
  const { client } = api.tenant
  const register = (label: string) => client.registerWebhook({ url: endpoint.url, label })
  const triggered = async () => (await svc.read('trigger', 'facility.closed')).webhook_id
  const disabled = await register('old')
  await disable(disabled)

  const mine = await register('mine')
  expect(await triggered()).toBe(mine)
  const other = await register('other')
  const several = await svc.run(['trigger', 'facility.closed'])
  expect([several.exitCode, several.err]).toEqual([2, expect.stringContaining('2 active webhooks')])
  const listening = await register('svc listen')
  expect(await triggered()).toBe(listening)
  for (const id of [disabled, mine, other, listening]) await client.deleteWebhook(id)
})

test('where no webhook is active, the disabled one is named with the commands that replace it', async () => {
  await using endpoint = await startEndpoint()
  const none = await svc.run(['trigger', 'facility.closed', '--text'])
  expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('webhooks register')])
  const url = `${endpoint.url}?a=1&b=2`
  const events = ['margin_warning.raised', 'facility.closed']
  const flags = ['--events', ...events, '--label', "Ada's"]
  const { id } = await svc.read('webhooks', 'register', url, ...flags)
  await disable(id)

  const { exitCode, err } = await svc.run(['trigger', 'facility.closed', '--text'])
  expect(exitCode).toBe(2)
  expect(err).toContain('There is no active webhook.')
  expect(err).toContain(`${id} (${url}) is disabled`)
  const { out } = await svc.run(['webhooks', 'show', id, '--text'])
  const recover = `svc webhooks recover <new id> --since <when it failed> --from ${id}`
  const register = `svc webhooks register '${url}' --events ${events.join(' ')} --label 'Ada'\\''s'`
  for (const text of [err, out])
    expect(text).toContain(`${register}, then ${recover}, then svc webhooks delete ${id}`)
  // As printed, it is posted to all the same where it is named.
  expect(err).toContain('--webhook')
  expect(await svc.read('trigger', 'facility.closed', '--webhook', id)).toMatchObject({
    webhook_id: id,
    response: { status: 204 },
  })
  await svc.read('webhooks', 'delete', id)
})

test('a webhook is registered, shown with its state, listed and deleted', async () => {
  const url = 'http://127.0.0.1:9/webhooks'
  const registered = await svc.read('webhooks', 'register', url, '--label', 'mine')
  const webhook = { id: registered.id, url, event_types: [], label: 'mine' }
  const state = {
    state: 'active',
    consecutive_failed_attempts: 0,
    created_at: registered.created_at,
  }
  expect(Date.parse(registered.created_at)).not.toBeNaN()
  expect(registered).toEqual({ ...webhook, ...state })
  expect(await svc.read('webhooks', 'show', webhook.id)).toEqual(registered)
  expect((await svc.read('webhooks')).items).toEqual([registered])
  expect(await svc.read('webhooks', 'delete', webhook.id)).toEqual({ deleted: webhook.id })
  const gone = await svc.run(['webhooks', 'show', webhook.id])
  expect([gone.exitCode, JSON.parse(gone.err).error.code]).toEqual([1, 'not_found'])
  const refused = await svc.run(['webhooks', 'register', url, '--events', 'nothing.happened'])
  expect([refused.exitCode, JSON.parse(refused.err).error.code]).toEqual([1, 'validation_failed'])
})

describe('completion', () => {
  /** What bash offers for the last word, by the printed script. */
  async function complete(...words: string[]): Promise<string[]> {
    const { out } = await run(['completion', 'bash'])
    const list = words.map((word) => `'${word}'`).join(' ')
    const script = `${out}
COMP_WORDS=(svc ${list}); COMP_CWORD=${words.length}; _svc svc '${words.at(-1)}' ''
printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)('bash', ['-c', script])
    return stdout.split('\n').filter(Boolean)
  }

  test('bash completes commands, those of a group, and the options of each', async () => {
    expect(await complete('we')).toEqual(['webhooks'])
    expect(await complete('webhooks', 're')).toEqual(['register', 'recover'])
    expect(await complete('webhooks', 'register', 'https://a.test/', '--ev')).toEqual(['--events'])
    expect(await complete('completion', '')).toEqual(
      expect.arrayContaining(['bash', 'zsh', 'fish']),
    )
    expect(await complete('webhooks', 'nothing-like-this')).toEqual([])
  })

  test.each(['bash', 'zsh', 'fish'])('%s is given every command and option', async (shell) => {
    const { exitCode, out } = await run(['completion', shell])
    expect(exitCode).toBe(0)
    const { out: help } = await run(['--help'])
    const commands = [...help.matchAll(/^ {2}([a-z]+)(?: |\|)/gm)].map(([, name = '']) => name)
    expect(commands.length).toBeGreaterThan(8)
    for (const name of commands.filter((name) => name !== 'help'))
      expect(out).toContain(`'${name}'`)
    for (const option of ['--forward', '--since', '--key-file', '--version']) {
      expect(out).toContain(option)
    }
  })

  test('an unknown shell is misuse, and names those that are known', async () => {
    const { exitCode, err } = await run(['completion', 'powershell'])
    expect(exitCode).toBe(2)
    expect(err).toMatch(/bash, zsh, fish/)
  })
})

test('the version is that of the package', async () => {
  expect(await run(['--version'])).toEqual({ exitCode: 0, out: '1.2.3\n', err: '' })
})

test('a failed connection to a webhook is reported with host, port and system error, and the webhook is deleted', async () => {
  const [port] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const id = await api.tenant.client.registerWebhook({ url, label: 'svc listen' })
  const { exitCode, out } = await svc.run(['trigger', 'facility.closed', '--text'])
  expect(exitCode).toBe(1)
  expect(out).toMatch(/no answer: connect.*--webhook.*webhooks delete/s)
  expect(out).toContain(`There was no connection to 127.0.0.1:${port}, or it broke (ECONNREFUSED).`)
  const { response, failed } = JSON.parse((await svc.run(['trigger', 'facility.closed'])).out)
  expect(response).toEqual({ status: 0, body: '', error: 'connect' })
  expect(failed).toMatchObject({ host: '127.0.0.1', port, system_error: 'ECONNREFUSED' })
  expect(await svc.read('webhooks', 'delete', id)).toEqual({ deleted: id })
  expect((await svc.read('webhooks', 'list')).items).toEqual([])
  expect((await svc.run(['webhooks', 'delete', id])).exitCode).toBe(1)
})

test.each([
  ['dns', 'http://no-such-name.invalid/', 'The name no-such-name.invalid was not found.'],
  ['timeout', 'https://example.com/hooks', 'example.com:443 did not answer in time.'],
  ['connect', 'http://203.0.113.9:81/', 'There was no connection to 203.0.113.9:81, or it broke.'],
  ['tls', 'https://[2001:db8::1]/', 'The TLS handshake with [2001:db8::1]:443 failed.'],
  ['address_not_allowed', 'http://10.0.0.1/', 'The service may not post to 10.0.0.1:80.'],
] as const)(
  'a test event that ends in %s is explained with its address, and without a system error of another machine',
  async (error, url, expected) => {
    const client = { getWebhook: async () => ({ url }) } as unknown as Client
    const failed = await explainNoAnswer(client, 'http://127.0.0.1:8080', 'whk_1', error)
    expect(failed?.reason).toBe(expected)
    expect(failed).not.toHaveProperty('system_error')
  },
)

test('the sandbox’s controls are set and read', async () => {
  expect(await svc.read('sandbox', 'price', 'ETH', '3000')).toMatchObject({ asset: 'ETH' })
  await svc.read('sandbox', 'price', 'ETH', 'market')
  expect(await svc.read('sandbox', 'custodian', 'succeed')).toEqual({ next: 'succeed' })
  expect(await svc.read('sandbox', 'payments', 'succeed')).toEqual({ next: 'succeed' })
  const { now } = await svc.read('sandbox', 'clock', '60')
  expect((await svc.read('sandbox', 'clock')).now >= now).toBe(true)
})

test('tables for a person have colours, and show progress', async () => {
  const id = await addBorrower()
  const asPerson = { isTerminal: true, showsProgress: true }
  const { out, err } = await svc.run(['borrower', 'sign', id, ...signer], asPerson)
  expect(out).toContain('Ada Example')
  expect(() => JSON.parse(out)).toThrow()
  expect(err).toContain('Ada Example signs Master Loan Agreement')
  const piped = await svc.run(['borrower', 'show', id, '--text'])
  expect(piped.out).toMatch(/^id +bor_/)
  const json = await svc.run(['borrower', 'show', id, '--json'], asPerson)
  expect(JSON.parse(json.out)).toMatchObject({ id })
})

test('a refusal is printed as one sentence with the member at fault, and exits with 1', async () => {
  const argv = ['borrower', 'create', '--country', 'XX']
  const refused = await svc.run([...argv, '--text'])
  expect([refused.exitCode, refused.out]).toEqual([1, ''])
  expect(refused.err).toMatch(
    /^The service refused: 422 validation_failed.*\(req_\w+\)\n {2}\/resid/,
  )
  const { err } = await svc.run(argv)
  expect(JSON.parse(err).error).toMatchObject({
    code: 'validation_failed',
    request_id: expect.stringMatching(/^req_/),
    type: `${api.resources.config.errorsUrl}/validation_failed`,
    errors: [{ pointer: '/residency_country' }],
  })
})

const MISUSES = [
  ['borrowr'],
  ['borrower'],
  ['borrower', 'create'],
  ['borrower', 'create', '--country', 'DE', '--type', 'dog'],
  ['facility', 'list', '--state', 'LOST'],
  ['facility', 'repay', 'fac_1', '1.00', '--cures', '0'],
  ['trigger', 'nothing.happened'],
  ['trigger', 'facility.closed', '--data', '[]'],
  ['trigger', 'facility.closed'],
  ['deliveries', '--state', 'lost'],
  ['portfolio', 'push', '/nowhere.json'],
  ['portfolio', 'source', 'guess'],
  ['sandbox', 'price', 'DOGE', '1'],
  ['sandbox', 'clock', 'now'],
  ['listen', '--forward', 'localhost:4000'],
  ['replay', '--limit', 'all'],
  ['webhooks', '--base-url', 'somewhere'],
  ['webhooks', '--key-id', 'key_1'],
  ['webhooks', '--credentials', '/nowhere.json'],
]

test.each(MISUSES.map((argv) => [argv.join(' '), argv] as const))(
  'svc %s prints what is wrong and exits with 2',
  async (_, argv) => {
    const { exitCode, out, err } = await svc.run([...argv, '--text'])
    expect(exitCode).toBe(2)
    expect(out).toBe('')
    expect(err).not.toMatch(/\bat .*:\d+/)
    expect(err.trim().length).toBeGreaterThan(10)
  },
)

test.each([
  [['--base-url', 'http://localhost:8080', 'webhooks'], 'Options follow the command; --help lists'],
  [['nosuch'], "Unknown command 'nosuch'. --help lists the commands."],
])('the error of svc %j explains where options and commands are listed', async (argv, expected) => {
  expect((await svc.run([...argv, '--text'])).err).toContain(expected)
})

test('a service that does not answer is reported so, and exits with 3', async () => {
  const { keyId, privateKeyPem } = api.tenant
  const env = {
    SVC_BASE_URL: 'http://127.0.0.1:1',
    SVC_KEY_ID: keyId,
    SVC_PRIVATE_KEY: privateKeyPem,
  }
  const { exitCode, err } = await run(['webhooks', '--text'], { env })
  expect(exitCode).toBe(3)
  expect(err).toMatch(/^No usable answer from http:\/\/127.0.0.1:1/)
})

test.each([
  [['sandbox', 'price', 'BTC', 'null'], 'market'],
  [['listen', '--secret', 'foo'], 'whsec_'],
  [['replay', '--forward', 'http://127.0.0.1:1/', '--secret', 'foo'], 'whsec_'],
])('svc %j is refused before any request, with the accepted value', async (argv, expected) => {
  const { exitCode, out, err } = await svc.run(argv)
  expect([exitCode, out]).toEqual([2, ''])
  expect(JSON.parse(err).error).toEqual({
    code: 'usage',
    message: expect.stringContaining(expected),
  })
})

test('credentials come from the environment, and a key from a file', async () => {
  const { keyId, privateKeyPem } = api.tenant
  const keyFile = join(svc.folder, 'tenant.key')
  writeFileSync(keyFile, privateKeyPem)
  const env = { SVC_BASE_URL: api.baseUrl, SVC_KEY_ID: keyId }
  for (const key of [{ SVC_PRIVATE_KEY: privateKeyPem }, { SVC_PRIVATE_KEY_FILE: keyFile }]) {
    expect((await run(['webhooks'], { env: { ...env, ...key } })).exitCode).toBe(0)
  }
  const argv = ['webhooks', '--base-url', api.baseUrl, '--key-id', keyId, '--key-file', keyFile]
  expect((await run(argv)).exitCode).toBe(0)
})

async function disable(webhookId: string): Promise<void> {
  await api.db
    .updateTable('webhooks')
    .set({ state: 'disabled' })
    .where('webhook_id', '=', webhookId)
    .execute()
}

async function addBorrower(): Promise<string> {
  return (await svc.read('borrower', 'create', '--country', 'DE')).id
}

/** An eligible borrower with one bitcoin. */
async function addBorrowerWithBitcoin(): Promise<string> {
  const id = await addBorrower()
  await svc.read('borrower', 'sign', id, ...signer)
  await waitFor(async () => {
    expect(await svc.read('borrower', 'show', id)).toMatchObject({ eligible: true })
  })
  const input = JSON.stringify({ positions: [{ asset: 'BTC', quantity: '1' }] })
  await svc.run(['portfolio', 'push', '-', '--borrower', id], { input })
  return id
}

async function untilFacility(id: string, wanted: object): Promise<void> {
  await waitFor(async () => {
    expect(await svc.read('facility', 'show', id)).toMatchObject(wanted)
  })
}

test('what a webhook missed is recovered, also to another one, and the service checks the instant', async () => {
  const url = 'http://127.0.0.1:9/webhooks'
  const { id } = await svc.read('webhooks', 'register', url)
  const since = '2026-01-01T00:00:00Z'
  const recovery = { webhook_id: id, recovering_since: '2026-01-01T00:00:00.000Z', deliveries: 0 }
  expect(await svc.read('webhooks', 'recover', id, '--since', since)).toEqual(recovery)
  const { id: heir } = await svc.read('webhooks', 'register', url)
  const inPlace = await svc.run(['webhooks', 'recover', heir, '--since', since, '--from', id])
  expect(inPlace.out).toContain(id)
  const wrong = await svc.run(['webhooks', 'recover', heir, '--since', 'yesterday'])
  expect(wrong.exitCode).not.toBe(0)
  expect(wrong.err).toContain('since')
  for (const each of [id, heir]) await svc.read('webhooks', 'delete', each)
})
