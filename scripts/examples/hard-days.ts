// Runs each command of docs/hard-days.md, in its order, about a loan of its own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  openFacility,
  repay,
  requestDraw,
  type Story,
  settle,
  waitFor,
} from '../../docs/examples/stories/story.ts'
import { runCli } from '../../src/cli/command/run-cli.ts'
import { loadDatabaseConfig } from '../../src/config/database-config.ts'
import { loadVendorSecrets } from '../../src/config/vendor-secrets.ts'
import { addMs, DAY_MS, HOUR_MS, laterOf, MINUTE_MS } from '../../src/core/time.ts'
import type { RunningStack } from '../../src/local/running-stack.ts'
import { choosePrices } from '../../src/process/choose-prices.ts'

/** Runs a command of the command line and returns its JSON; throws when it fails. */
export type Cli = (argv: readonly string[], now: Date) => Promise<Answer>

/** Members that later commands need. */
type Answer = { approval_id?: unknown; hold?: unknown; items?: unknown }

export type HardDays = { story: Story; cli: Cli; tenantId: string; folder: string }

const PROPOSER = 'hard-days-a@lender.example'
const CONFIRMER = 'hard-days-b@lender.example'

/** Its commands, in the order of the page, without what stands for `npm run cli --`. */
export function listCommands(): string[] {
  const page = readFileSync(new URL('../../docs/hard-days.md', import.meta.url), 'utf8')
  return [...page.matchAll(/^ *lending (.+)$|`lending ([^`]+)`/gm)].map(
    ([, line, inline]) => line ?? inline ?? '',
  )
}

/** Commands on the database of a sandbox stack, some of which need two operators. */
export function createLocalCli({ databaseUrl, encryptionKeys }: RunningStack): Cli {
  return async (argv, now) => {
    const said = { out: '', error: '' }
    const exitCode = await runCli(argv, {
      programName: 'lending',
      writeOut: (text) => {
        said.out += text
      },
      writeError: (text) => {
        said.error += text
      },
      showsProgress: false,
      readInput: async () => '',
      loadConfig: () =>
        loadDatabaseConfig({
          ...{ STACK: 'sandbox', FOUR_EYES: 'on' },
          ...{ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: encryptionKeys },
        }),
      loadVendorSecrets: (vendor) => loadVendorSecrets({}, vendor),
      choosePrices,
      systemUser: () => 'examples',
      ask: undefined,
      clock: () => now,
    })
    if (exitCode !== 0) throw new Error(`lending ${argv.join(' ')}\n${said.error}`)
    return JSON.parse(said.out)
  }
}

/** Returns the commands that it ran. What a command made is what the next ones name. */
export async function playHardDays({ story, cli, tenantId, folder }: HardDays): Promise<string[]> {
  const now = new Date()
  const run = async (command: string, at = now) => await cli([...split(command), '--json'], at)
  for (const email of [PROPOSER, CONFIRMER]) {
    const known = JSON.stringify(await run('operators list'))
    if (!known.includes(email)) await run(`operators invite --email ${email} --role admin`)
  }
  const terms = join(folder, 'terms.json')
  writeFileSync(terms, JSON.stringify({ haircuts: { ETH: '0.06' } }))
  const facilityId = await openFacility(story)
  await waitFor(story, 'draw.completed', await requestDraw(story, facilityId, '20000.00'))
  const { client } = story
  const { created_at: createdAt } = await client.getFacility(facilityId)
  const [returned = '', kept = ''] = [
    await repay(story, facilityId, '5000.00'),
    await repay(story, facilityId, '1000.00'),
  ]
  for (const id of [returned, kept]) await waitFor(story, 'repayment.applied', id)
  await client.returnSandboxPayment({ repayment_id: returned, code: 'recalled' })
  await waitFor(story, 'repayment.reversed', returned)

  const names: Record<string, string> = {
    'fac_…': facilityId,
    'ten_…': tenantId,
    // What has come back is asked about no more.
    'rep_…': kept,
    'terms.json': terms,
    '2026-11-01T00:00:00Z': createdAt,
    // The page is about all tenants, and this about a loan of its own.
    '--all': `--all --tenant ${tenantId}`,
    '--to-version 3': `--to-version ${await storeVersion(run, terms, now)}`,
  }
  const commands = listCommands()
  for (const command of commands) {
    const named = Object.entries(names).reduce(
      (text, [name, id]) => text.replace(name, id),
      command,
    )
    const actor = named.startsWith('approvals') ? CONFIRMER : PROPOSER
    const isChange = named.includes('--reason') || named.startsWith('approvals confirm')
    const answer = await run(isChange ? `${named} --actor ${actor}` : named)
    story.print(`  lending ${command}`)
    if (typeof answer.approval_id === 'string') names['apr_…'] = answer.approval_id
    if (typeof answer.hold === 'string') names['pau_…'] = answer.hold
    // The page has it once: with the preview, and then without.
    if (!command.includes('--preview')) continue
    const proposed = await run(`${named.replace(' --preview', '')} --actor ${PROPOSER}`)
    names['apr_…'] = String(proposed.approval_id)
  }
  await settle(story, facilityId)
  return commands
}

type Run = (command: string, at?: Date) => Promise<Answer>

/** In force an hour ago, or since the last one. Returns its number. */
async function storeVersion(run: Run, terms: string, now: Date): Promise<number> {
  const { items } = (await run('margin policy list')) as { items: { effective_from: string }[] }
  const last = items.map((one) => new Date(one.effective_from)).sort((a, b) => +b - +a)[0]
  const from = laterOf(addMs(now, -HOUR_MS), addMs(last ?? new Date(0), MINUTE_MS))
  const at = addMs(from, -DAY_MS)
  const asked = `margin policy propose ${terms} --from ${from.toISOString()} --reason risk`
  const { approval_id: approval } = await run(`${asked} --actor ${PROPOSER}`, at)
  await run(`approvals confirm ${approval} --actor ${CONFIRMER}`, at)
  const after = (await run('margin policy list')) as { items: { version: number }[] }
  return Math.max(...after.items.map(({ version }) => version))
}

/** As a shell does, with words in double quotes kept together. */
function split(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
}
