import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { ProblemError } from '../../client/problem-error.ts'
import type { PortfolioSnapshot } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { type CommonOptions, defineCommand, runCommand, type Session } from '../define-command.ts'
import { formatFields, reportList } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'

type Push = {
  borrowerId: string
  asOf: string | undefined
  positions: PortfolioSnapshot['positions']
}

const FILE = `
The file is {"borrower_id", "as_of", "positions": [{"asset", "quantity"}]} or a list of such; - is
the standard input. Without "as_of" it is your time now, without "borrower_id" that of --borrower.`

export function addPortfolioCommands(program: Command, io: SvcIo): void {
  const group = program.command('portfolio').description('what borrowers hold')

  defineCommand(group, 'push <file>', "replace borrowers' portfolios", [
    'portfolio push portfolio.json --borrower bor_…',
    'portfolio push - < everybody.json',
  ])
    .addHelpText('after', FILE)
    .option('--borrower <id>', 'the owner, where the file names none')
    .action((file: string, options: CommonOptions & { borrower?: string }) =>
      runCommand(io, options, async (session) => {
        const text = file === '-' ? await io.readInput() : readFile(file)
        return await pushAll(session, readPushes(text, options.borrower))
      }),
    )

  defineCommand(group, 'source [mode]', 'read or choose where positions come from', [
    'portfolio source',
    'portfolio source custodian',
  ]).action((mode: string | undefined, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => {
      const source = await chooseSource(client, mode)
      return { data: source, text: formatFields(source) }
    }),
  )
}

function chooseSource(client: Client, mode: string | undefined) {
  if (mode === undefined) return client.getPortfolioSource()
  if (mode === 'push' || mode === 'custodian') return client.setPortfolioSource(mode)
  throw new SvcError('usage', `Positions come from push or custodian, not "${mode}".`)
}

/** One at a time: the service accepts 50 a second, and the client waits where it must. */
async function pushAll({ client, output }: Session, pushes: readonly Push[]): Promise<Report> {
  const now = pushes.some(({ asOf }) => asOf === undefined) ? await tenantsNow(client) : ''
  const pushed: { borrower_id: string; applied: boolean; as_of: string }[] = []
  for (const { borrowerId, asOf = now, positions } of pushes) {
    output.progress(`${pushed.length} of ${pushes.length} portfolios`)
    const answer = await client.putPortfolio(borrowerId, { as_of: asOf, positions })
    pushed.push({ borrower_id: borrowerId, ...answer })
  }
  return reportList(
    pushed,
    {
      borrower: (it) => it.borrower_id,
      applied: (it) => (it.applied ? 'yes' : 'no, a newer one is stored'),
      'as of': (it) => it.as_of,
    },
    'The file holds no portfolio.',
  )
}

/** On the sandbox by the tenant's clock, which may be days ahead. */
async function tenantsNow(client: Client): Promise<string> {
  try {
    return (await client.getSandboxClock()).now
  } catch (error) {
    if (error instanceof ProblemError && error.is('sandbox_only')) return new Date().toISOString()
    throw error
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new SvcError('file', `${path} cannot be read.`)
  }
}

/** Checks the form only; the service values positions. */
function readPushes(text: string, borrower: string | undefined): Push[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new SvcError('file', `The portfolio is not JSON: ${(error as Error).message}.`)
  }
  const entries: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  return entries.map((entry, at) => {
    const {
      borrower_id: id = borrower,
      as_of: asOf,
      positions,
    } = (entry ?? {}) as {
      borrower_id?: unknown
      as_of?: unknown
      positions?: unknown
    }
    const isWhole = typeof id === 'string' && Array.isArray(positions)
    if (isWhole && (asOf === undefined || typeof asOf === 'string')) {
      return { borrowerId: id, asOf, positions }
    }
    const missing = typeof id === 'string' ? 'positions' : 'borrower_id, or --borrower'
    throw new SvcError('file', `Portfolio ${at + 1} of the file lacks ${missing}.`)
  })
}
