import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { type CommonOptions, defineCommand, openSession } from './define-command.ts'
import { EVENT_EXAMPLES } from './generated/event-examples.ts'
import { formatFields } from './output.ts'
import { NotWell, SvcError } from './svc-error.ts'
import type { SvcIo } from './svc-io.ts'
import { bad, good } from './terminal.ts'

type TriggerOptions = CommonOptions & { webhook?: string; data?: string; exactly?: true }

/** `trigger <event>`: a simulated delivery, with the data of the catalogue's example. */
export function addTriggerCommand(program: Command, io: SvcIo): void {
  const types = Object.keys(EVENT_EXAMPLES)
  defineCommand(program, 'trigger <event>', 'have a signed test event posted to a webhook', [
    'trigger margin_warning.raised',
    `trigger margin_warning.raised --data '{"tier": 3}'`,
  ])
    .addHelpText('after', `\nEvents: ${types.join(', ')}.`)
    .option('--webhook <id>', 'which one, where there are several')
    .option('--data <json>', "members over those of the event's example")
    .option('--exactly', 'send the given data alone')
    .action(async (event: string, options: TriggerOptions) => {
      const { client, output } = openSession(io, options)
      const type = readType(event)
      const data = { ...(options.exactly ? {} : EVENT_EXAMPLES[type]), ...readData(options.data) }
      const webhookId = options.webhook ?? (await theOneWebhook(client))
      const simulation = { webhook_id: webhookId, event_type: type, data }
      const result = await client.simulateDelivery(simulation)
      const { status, body, error } = result.response
      const isWell = status >= 200 && status < 300
      const verdict = error === null ? `answered ${status}` : `gave no answer: ${error}`
      const fields = formatFields({ webhook: webhookId, event: type, body })
      output.report({ data: result, text: `${(isWell ? good : bad)(verdict)}\n${fields}` })
      if (!isWell) throw new NotWell()
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
    // Told below.
  }
  throw new SvcError('usage', `--data takes a JSON object: not ${text}.`)
}

async function theOneWebhook(client: Client): Promise<string> {
  const webhooks = await client.listWebhooks()
  const [first] = webhooks
  if (first !== undefined && webhooks.length === 1) return first.id
  const cure =
    first === undefined
      ? 'There is no webhook yet. The command listen registers one.'
      : `There are ${webhooks.length} webhooks: name one with --webhook. The command webhooks lists them.`
  throw new SvcError('usage', cure)
}
