import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { EVENT_EXAMPLES } from '../../client/generated/event-examples.ts'
import { FaultReported } from '../../command-line/program.ts'
import { type CommonOptions, defineCommand, openSession } from '../define-command.ts'
import { explainNoAnswer } from '../delivery-target.ts'
import { formatFields } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'
import { bad, good } from '../terminal.ts'
import { explainDisabled, LISTEN_LABEL, readWebhooks } from '../webhooks.ts'

const CHOICE =
  'Another webhook is chosen by --webhook. The command webhooks lists them, webhooks delete removes one.'

const REGISTER = ' The command listen registers one, and so does webhooks register.'
const ANYWAY = '\nA test event is posted to a disabled one too, where --webhook names it.'

type TriggerOptions = CommonOptions & { webhook?: string; data?: string; exactly?: true }

/** A simulated delivery with the catalogue's example data. */
export function addTriggerCommand(program: Command, io: SvcIo): void {
  const types = Object.keys(EVENT_EXAMPLES)
  defineCommand(program, 'trigger <event>', 'send a signed test event to a webhook', [
    'trigger margin_warning.raised',
    `trigger margin_warning.raised --data '{"tier": 3}'`,
  ])
    .addHelpText('after', `\nEvents: ${types.join(', ')}.`)
    .option('--webhook <id>', 'which one; else that of listen, or the only active one')
    .option('--data <json>', "members over those of the event's example")
    .option('--exactly', 'send the given data alone')
    .action(async (event: string, options: TriggerOptions) => {
      const { client, credentials, output } = openSession(io, options)
      const type = readType(event)
      const data = { ...(options.exactly ? {} : EVENT_EXAMPLES[type]), ...readData(options.data) }
      const webhookId = options.webhook ?? (await theOneWebhook(client, io))
      const simulation = { webhook_id: webhookId, event_type: type, data }
      const result = await client.simulateDelivery(simulation)
      const { status, body, error } = result.response
      const isWell = status >= 200 && status < 300
      const fields = formatFields({ webhook: webhookId, event: type, body })
      if (error === null) {
        const verdict = (isWell ? good : bad)(`answered ${status}`)
        output.report({ data: result, text: `${verdict}\n${fields}` })
      } else {
        const { baseUrl } = credentials
        const failed = await explainNoAnswer(client, baseUrl, webhookId, error)
        const verdict = [`gave no answer: ${error}.`, failed?.reason].filter(Boolean).join(' ')
        const data = { ...result, ...(failed && { failed }) }
        output.report({ data, text: `${bad(verdict)}\n${fields}\n${CHOICE}` })
      }
      if (!isWell) throw new FaultReported()
    })
}

function readType(event: string): keyof typeof EVENT_EXAMPLES {
  if (Object.hasOwn(EVENT_EXAMPLES, event)) return event as keyof typeof EVENT_EXAMPLES
  const known = Object.keys(EVENT_EXAMPLES).join(', ')
  throw new SvcError('usage', `There is no event "${event}". There are ${known}.`)
}

function readData(text = '{}'): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ...data }
  } catch {
    // Reported below.
  }
  throw new SvcError('usage', `--data takes a JSON object: not ${text}.`)
}

/** The webhook of `listen`, else the only active one. */
async function theOneWebhook(client: Client, io: SvcIo): Promise<string> {
  const all = await readWebhooks(client)
  const active = all.filter(({ state }) => state === 'active')
  const listening = active.filter(({ label }) => label === LISTEN_LABEL)
  const [chosen, ...others] = listening.length > 0 ? listening : active
  if (chosen !== undefined && others.length === 0) return chosen.id
  const disabled = all.filter(({ state }) => state === 'disabled')
  const cure =
    chosen === undefined
      ? ['There is no active webhook.', ...disabled.map((it) => explainDisabled(it, io))].join(
          '\n',
        ) + (disabled.length === 0 ? REGISTER : ANYWAY)
      : `There are ${others.length + 1} active webhooks: name one with --webhook. The command webhooks lists them.`
  throw new SvcError('usage', cure)
}
