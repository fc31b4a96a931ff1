// Runs each command of docs/evidence.md, in its order, about a sale that was made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '../../src/client/client.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Files and folders that the commands make, and the next ones read. */
const MADE = ['receipt.json', 'receipt-keys.json', 'october']

export type Evidence = {
  /** Of the tenant that the newest sale was made for. */
  client: Client
  baseUrl: string
  /** For what the commands make. */
  folder: string
  /** Whose month is packed, and one that has ended for it. */
  tenantId: string
  month: string
  /** Run one command, and throw when it fails. */
  svc: (argv: readonly string[]) => Promise<unknown>
  cli: (argv: readonly string[]) => Promise<unknown>
  shell: (command: string, folder: string) => unknown
}

/** The commands of the page, in its order. */
function listCommands(): string[] {
  const page = readFileSync(join(ROOT, 'docs/evidence.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)]
  return blocks.flatMap(([, block = '']) => block.trim().split('\n'))
}

/** Returns the commands that it ran. */
export async function playEvidence(evidence: Evidence): Promise<string[]> {
  const { client, baseUrl, folder, tenantId, month, svc, cli, shell } = evidence
  const { facilityId, call, warning, raise } = await findSale(client)
  const names: Record<string, string> = {
    'save fac_… 1': `save ${facilityId} ${call}`,
    'notice fac_… 1': `notice ${facilityId} ${warning}`,
    // The tenant's clock may be ahead of this one.
    'evt_…': `${raise.event_id} --sent-at ${raise.raised_at}`,
    'https://api.example.com': baseUrl,
    'docs/examples': join(ROOT, 'docs/examples'),
    // The page is about all tenants, and this about one.
    '2026-10': `${month} --tenant ${tenantId}`,
  }
  const commands = listCommands()
  for (const command of commands) {
    const named = Object.entries(names).reduce(
      (text, [name, id]) => text.replace(name, id),
      command,
    )
    const [, tool, args = ''] = /^npm run (svc|cli) -- (.*)$/.exec(named) ?? []
    const argv = args.split(' ').map((word) => (MADE.includes(word) ? join(folder, word) : word))
    if (tool === 'svc') await svc(argv)
    else if (tool === 'cli') await cli(argv)
    else await shell(named, folder)
  }
  return commands
}

async function findSale(client: Client) {
  for await (const { id: facilityId } of client.listFacilities()) {
    for await (const call of client.listMarginCalls(facilityId)) {
      if (call.status !== 'COMPLETED') continue
      const { margin_warning_number: warning, number } = call
      const { raises: [raise] = [] } = await client.getMarginWarning(facilityId, warning)
      if (raise) return { facilityId, call: number, warning, raise }
    }
  }
  throw new Error('There is no completed margin call.')
}
