import type { Command } from 'commander'
import type { SandboxOutcome, SandboxProviderAnswer } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { type CommonOptions, defineCommand, readWhole, runCommand } from '../define-command.ts'
import { formatFields, reportList } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'

const ASSETS = ['BTC', 'ETH', 'USDC'] as const
const OUTCOMES = ['pass', 'fail', 'review'] as const satisfies readonly SandboxOutcome[]
const ANSWERS = ['fail', 'delay', 'succeed'] as const satisfies readonly SandboxProviderAnswer[]

export function addSandboxCommands(program: Command, io: SvcIo): void {
  const group = program.command('sandbox').description('controls of your own sandbox')

  defineCommand(group, 'price <asset> <usd>', 'set a price that you alone see', [
    'sandbox price BTC 68000',
    'sandbox price BTC market',
  ]).action((asset: string, usd: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => {
      return report(
        await client.setSandboxPrice(choose('The asset', ASSETS, asset), readPrice(usd)),
      )
    }),
  )

  defineCommand(group, 'prices', 'list the prices that you see', ['sandbox prices']).action(
    (options: CommonOptions) =>
      runCommand(io, options, async ({ client }) =>
        reportList(
          await client.listSandboxPrices(),
          {
            asset: (it) => it.asset,
            usd: (it) => it.price_usd,
            'set by': (it) => (it.source === 'tenant' ? 'you' : 'the market'),
          },
          'The sandbox has no prices.',
        ),
      ),
  )

  defineCommand(group, 'clock [seconds]', 'read your clock, or set it ahead', [
    'sandbox clock',
    'sandbox clock 86400',
  ]).action((seconds: string | undefined, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => {
      if (seconds === undefined) return report(await client.getSandboxClock())
      return report(await client.advanceSandboxClock(readWhole('The clock')(seconds)))
    }),
  )

  defineCommand(group, 'compliance <borrower_id> <outcome>', "decide a borrower's open checks", [
    'sandbox compliance bor_… pass',
  ]).action((id: string, outcome: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => {
      const chosen = choose('The outcome', OUTCOMES, outcome)
      return report(await client.setSandboxCompliance(id, chosen))
    }),
  )

  defineCommand(group, 'holds <borrower_id> <positions...>', 'what the custodian holds', [
    'sandbox holds bor_… BTC=0.5 USDC=1000',
    'sandbox holds bor_… nothing --late 120',
    'sandbox holds bor_… pushed',
  ])
    .option('--late <seconds>', 'how long its answers take, by your clock')
    .action((id: string, texts: string[], options: CommonOptions & { late?: string }) =>
      runCommand(io, options, async ({ client }) => {
        const { late } = options
        const lateSeconds = late === undefined ? 0 : readWhole('The delay')(late)
        const held = readHeld(texts)
        const holding = await client.setSandboxCustodianPositions(id, held, { lateSeconds })
        const positions = holding.positions?.map((it) => `${it.asset}=${it.quantity}`).join(' ')
        const shown = { ...holding, positions: positions === '' ? 'nothing' : positions }
        return {
          data: holding,
          text: formatFields({ ...shown, positions: shown.positions ?? 'as pushed' }),
        }
      }),
    )

  for (const provider of ['custodian', 'payments'] as const) {
    defineCommand(group, `${provider} <next>`, `how the ${provider} provider answers next`, [
      `sandbox ${provider} fail`,
    ]).action((next: string, options: CommonOptions) =>
      runCommand(io, options, async ({ client }) => {
        const answer = choose('The answer', ANSWERS, next)
        return report(
          await (provider === 'custodian'
            ? client.setSandboxCustodian(answer)
            : client.setSandboxPayments(answer)),
        )
      }),
    )
  }
}

/** Null: what was pushed. */
function readHeld(texts: readonly string[]) {
  if (texts.length === 1 && texts[0] === 'pushed') return null
  if (texts.length === 1 && texts[0] === 'nothing') return []
  return texts.map((text) => {
    const [, asset, quantity] = /^([A-Z0-9]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? []
    if (asset !== undefined && quantity !== undefined) return { asset, quantity }
    throw new SvcError(
      'usage',
      `What is held is a list such as BTC=0.5 USDC=1000, or "nothing", or "pushed": not "${text}".`,
    )
  })
}

/** Null: the market price again. */
function readPrice(usd: string): string | null {
  if (usd === 'market') return null
  if (/^\d+(\.\d+)?$/.test(usd)) return usd
  throw new SvcError(
    'usage',
    `A price is a number of USD, such as 68000, or "market", which returns to the market: not "${usd}".`,
  )
}

function choose<Choice extends string>(what: string, choices: readonly Choice[], text: string) {
  const chosen = choices.find((choice) => choice === text)
  if (chosen !== undefined) return chosen
  throw new SvcError('usage', `${what} is one of ${choices.join(', ')}: not "${text}".`)
}

function report(answer: Record<string, string | number>): Report {
  return { data: answer, text: formatFields(answer) }
}
