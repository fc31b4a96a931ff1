import { join } from 'node:path'
import type { Command } from 'commander'
import type { WebhookEvent } from '../../client/resources/resources.ts'
import { readStoryCredentials } from '../credentials.ts'
import { type CommonOptions, defineCommand, openSession, type Session } from '../define-command.ts'
import { endOfLog } from '../listen/follow-log.ts'
import type { SvcIo } from '../svc-io.ts'
import { dim, good, plain } from '../terminal.ts'
import { borrow } from './borrow.ts'
import { liveThroughDeficit } from './deficit.ts'
import { openInbox } from './inbox.ts'
import { liveThroughMarginDay } from './margin-day.ts'
import { onboard } from './onboard.ts'
import { refuseBesideLoans } from './refuse-beside-loans.ts'
import { formatStep, type PrintStep, type Stage } from './stage.ts'
import { StoryError } from './story-error.ts'

type Story = {
  about: string
  play: (stage: Stage, borrowerId: string) => Promise<void>
}

const STORIES: Readonly<Record<string, Story>> = {
  loan: {
    about: 'a loan from the first signature to the release of the lien',
    play: borrow,
  },
  margin: {
    about: 'a day on which bitcoin falls: two warnings cured, one that escalates and is sold',
    play: liveThroughMarginDay,
  },
  deficit: {
    about: 'collateral that does not cover the debt: the rest is charged off, and recovered later',
    play: liveThroughDeficit,
  },
}

const ABOUT = `
A story changes the price of BTC and advances the sandbox clock of a whole tenant, so npm start keeps a
tenant for stories (.local/stories.json). With --own-tenant or your own credentials it runs in yours:
your webhooks get the events, and it is refused while a facility there has debt, unless --force. Only
events of its own borrower are printed.`

type StoryOptions = CommonOptions & { ownTenant?: true; force?: true }

export function addStoryCommands(program: Command, io: SvcIo): void {
  const group = program.command('story').description('a scripted day on your sandbox')
  for (const [name, { about, play }] of Object.entries(STORIES)) {
    defineCommand(group, name, about, [`story ${name}`, `story ${name} --own-tenant`])
      .addHelpText('after', ABOUT)
      .option('--own-tenant', 'in the tenant of your credentials; its webhooks get the events')
      .option('--force', 'though another facility of that tenant owes something')
      .action(async (options: StoryOptions) => {
        await perform(await openStage(io, options), play)
      })
  }
}

/** In the tenant for stories; else in the user's, if it has no debt or with --force. */
async function openStage(io: SvcIo, options: StoryOptions): Promise<Session> {
  const separate = options.ownTenant ? undefined : readStoryCredentials(options, io.env)
  const session = openSession(io, options, separate)
  if (separate === undefined) {
    if (!options.force) await refuseBesideLoans(session.client)
    return session
  }
  const line = `the one for stories ${dim(`(${join(separate.folder ?? '', 'stories.json')})`)}`
  describeStep(session, 'Tenant', [line])
  return session
}

function describeStep(
  { output }: Session,
  topic: string,
  lines: readonly string[],
  event?: WebhookEvent,
): void {
  output.line({
    data: { topic, ...(event && { event }), lines: lines.map(plain) },
    text: formatStep(topic, lines).trimEnd(),
  })
}

async function perform(session: Session, play: Story['play']): Promise<void> {
  const { client, output, io } = session
  const startedAt = performance.now()
  const printStep: PrintStep = (topic, ...lines) => describeStep(session, topic, lines)
  const inbox = openInbox((event, ...lines) => describeStep(session, 'Delivery', lines, event))
  const curtain = new AbortController()
  const signal = AbortSignal.any([curtain.signal, io.takeInterruption()])
  const from = await endOfLog(client, curtain.signal)
  const followed = followInto(session, { from, signal }, inbox)
  const stage = { client, inbox, printStep }
  try {
    const played = onboard(stage).then((borrowerId) => play(stage, borrowerId))
    await Promise.race([played, followed])
  } finally {
    curtain.abort()
    if (play !== borrow) await client.setSandboxPrice('BTC', null)
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  output.line({
    data: { done: true, seconds: Number(seconds) },
    text: `\n${good('Done')} in ${seconds} s.`,
  })
}

/** Ends when the log cannot be read, or on Ctrl-C. */
async function followInto(
  { client, io }: Session,
  { from, signal }: { from: string; signal: AbortSignal },
  inbox: Stage['inbox'],
): Promise<never> {
  try {
    for await (const { event } of client.followEvents({ from, signal, pollSeconds: 0.1 })) {
      inbox.accept(event, 'from the log', '')
    }
  } catch (error) {
    if (io.takeInterruption().aborted) throw new StoryError('Interrupted.')
    throw error
  }
  throw new StoryError('The log ended.')
}
