import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '../../../src/client/client.ts'
import { ensureDatabase } from '../../../src/local/stores/postgres.ts'
import { readText } from '../../deploy/read-text.ts'
import { startVendors } from '../../support/servers/vendor-server.ts'
import { findLastingPorts, startProcess, untilAnswering } from '../../support/world/service.ts'
import { createPostgres, createRedis, DATABASE } from '../../support/world/stores.ts'
import type { Drill, Stage } from '../drill.ts'
import { runProgram } from '../world/commands.ts'
import { commandsUnder } from '../world/page-commands.ts'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..')
const BTC = 100_000_000n

/** The operator's page, on a live stack that has nothing yet: its secrets, the migration, and each
 * command until the first loan is paid out. */
export const firstTenant: Drill = {
  name: 'first-tenant',
  title: 'a live stack is set up and its first tenant lends, by the commands of the page',
  aim: { failures: 0 },
  async run(stage) {
    const { keep, say } = stage
    const page = readText('docs/operations.md')
    const shell = openShell(stage)
    const secrets = commandsUnder(page, '## Deploying with Compose').find(([first]) =>
      first?.includes('live/secrets'),
    )
    await shell.runAll(secrets ?? [])
    const vendors = keep.use(await startVendors())
    const stack = await startLive(stage, shell, vendors.environment)
    const [set = [], key = [], review = [], ...more] = commandsUnder(page, '### The first tenant')
    const problems = more.length > 0 ? ['the page has commands that the drill does not know'] : []
    await shell.runAll(set)
    await shell.runAll(key)
    const client = createClient({
      baseUrl: stack.origin,
      keyId: shell.latest('key'),
      privateKeyPem: readFileSync(join(shell.folder, 'acme.key'), 'utf8'),
    })
    const borrowerId = await onboard(client)
    await shell.untilPrinted(review[0] ?? '', borrowerId)
    await shell.runAll(review)
    await until(async () => (await client.getBorrower(borrowerId)).eligible)
    vendors.books.holdings.set('acc-1', new Map([['BTC', BTC]]))
    for (const [asset, price] of PRICES) vendors.books.prices.set(asset, price)
    await lend(client, borrowerId)
    say(`${shell.count()} commands of the page, and a first loan`)
    problems.push(...vendors.complaints)
    return {
      measured: { requests: shell.count(), failures: {}, longestGapMs: 0 },
      problems,
    }
  },
}

const PRICES = [
  ['BTC', '100000'],
  ['ETH', '4000'],
  ['USDC', '1'],
] as const

type Shell = ReturnType<typeof openShell>

/** Commands as an operator types them, with the ids that earlier ones have printed. */
function openShell({ keep, say }: Stage) {
  const folder = join(keep.folder, 'operator')
  mkdirSync(folder)
  const env: NodeJS.ProcessEnv = { ...process.env }
  const lending = `lending() { node --disable-proto=throw "${join(CHECKOUT, 'src', 'cli.ts')}" "$@"; }`
  const printed = new Map<string, string>()
  let count = 0
  const run = async (command: string): Promise<string> => {
    const line = command.replace(/\b([a-z]{3})_…/g, (_all, prefix: string) => latest(prefix))
    say(`$ ${line}`)
    count += 1
    const ran = await runProgram('sh', ['-c', `cd "${folder}" && ${lending} && ${line}`], { env })
    if (ran.code !== 0) throw new Error(`${line}\nended with ${ran.code}: ${ran.output}`)
    for (const [id, prefix = ''] of ran.output.matchAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g)) {
      printed.set(prefix, id)
    }
    return ran.output
  }
  const latest = (prefix: string) => {
    const id = printed.get(prefix)
    if (id === undefined) throw new Error(`no command has printed an id ${prefix}_…`)
    return id
  }
  return {
    folder,
    latest,
    run,
    count: () => count,
    /** What the container of Compose has in its environment. */
    setEnvironment: (added: Record<string, string>) => void Object.assign(env, added),
    async runAll(commands: readonly string[]) {
      if (commands.length === 0) throw new Error('the page has no commands there')
      for (const command of commands) await run(command)
    },
    async untilPrinted(command: string, text: string) {
      await until(async () => (await run(command)).includes(text))
    },
  }
}

/** As docker-compose.yml has it: the owner migrates, API and worker use a role of their own. */
async function startLive({ keep }: Stage, shell: Shell, vendors: Record<string, string>) {
  const secret = (name: string) => join(shell.folder, 'deploy', 'live', 'secrets', name)
  const password = readFileSync(secret('owner-password'), 'utf8').trim()
  const postgres = await createPostgres(keep, { password })
  const redis = await createRedis(keep)
  await Promise.all([postgres.start(), redis.start()])
  await ensureDatabase(postgres, DATABASE)
  const urlOf = (role: string) => `postgresql://${role}@127.0.0.1:${postgres.port}/${DATABASE}`
  const shared = {
    ...{ STACK: 'live', REDIS_URL: redis.url },
    ENCRYPTION_KEYS_FILE: secret('encryption-keys'),
  }
  shell.setEnvironment({
    ...shared,
    DATABASE_URL: urlOf('postgres'),
    DATABASE_PASSWORD_FILE: secret('owner-password'),
    APP_ROLE_PASSWORD_FILE: secret('app-password'),
    // That of the container.
    PUBLIC_URL: 'https://api.lender.example',
  })
  await shell.run('lending migrate --app-role lending_app')
  const [port = 0, ...inner] = await findLastingPorts(3)
  const settings = {
    ...vendors,
    ...shared,
    DATABASE_URL: urlOf('lending_app'),
    DATABASE_PASSWORD_FILE: secret('app-password'),
    COMPLIANCE_PROVIDER: 'manual',
    HOST: '127.0.0.1',
  }
  for (const [at, name] of ['server', 'worker'].entries()) {
    const METRICS_PORT = String(inner[at])
    const env = { ...settings, METRICS_PORT, PORT: name === 'server' ? String(port) : '0' }
    const log = join(keep.folder, `${name}.log`)
    const child = await startProcess(name, [join(CHECKOUT, 'src', `${name}.ts`)], log, env)
    keep.onStarted(child.identity)
    await untilAnswering(`http://127.0.0.1:${METRICS_PORT}`)
  }
  return { origin: `http://127.0.0.1:${port}` }
}

async function onboard(client: Client): Promise<string> {
  const { id } = await client.createBorrower({
    ...({ type: 'individual', kyc_attested: true } as const),
    ...{ residency_country: 'US', residency_state: 'CA' },
  })
  for (const { contract_type, contract_version } of await client.listDocuments()) {
    await client.submitSignature(id, {
      ...{ full_name: 'Ada Borrower', email: 'ada@example.com', ip_address: '203.0.113.9' },
      ...{ signed_at: new Date().toISOString(), contract_type, contract_version },
    })
  }
  return id
}

async function lend(client: Client, borrowerId: string): Promise<void> {
  const positions = [{ asset: 'BTC', quantity: '1' }]
  const amount = (dollars: string) => ({ amount: dollars, asset: 'USD' }) as const
  await client.putPortfolio(borrowerId, { as_of: new Date().toISOString(), positions })
  const { id } = await client.createFacility({
    ...{ borrower_id: borrowerId, limit: amount('40000.00'), custody_account: 'acc-1' },
  })
  await until(async () => (await client.getFacility(id)).state === 'APPROVED')
  const wanted = { ...amount('20000.00'), destination: 'account-4711' }
  const { id: drawId } = await client.requestDraw(id, wanted)
  await until(async () => (await client.getDraw(id, drawId)).status === 'COMPLETED')
}

const MOST_MS = 120_000

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + MOST_MS
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error('it was not so within two minutes')
    await pause(1_000)
  }
}
