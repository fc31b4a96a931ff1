import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Delivery } from '../../client/resources/resources.ts'
import { EXIT } from '../../command-line/program.ts'
import type { Report } from '../../command-line/text.ts'
import { collect } from '../collect.ts'
import { type CommonOptions, defineCommand, runCommand } from '../define-command.ts'
import { reportList } from '../output.ts'
import { SvcError } from '../svc-error.ts'
import type { SvcIo } from '../svc-io.ts'

const STATES = ['pending', 'delivered', 'dead_lettered', 'cancelled'] as const

export function addDeliveryCommands(program: Command, io: SvcIo): void {
  defineCommand(program, 'deliveries [webhook_id]', 'list deliveries with their state', [
    'deliveries',
    'deliveries whk_… --state dead_lettered',
  ])
    .option('--state <state>', STATES.join(', '))
    .action((webhookId: string | undefined, options: CommonOptions & { state?: string }) =>
      runCommand(io, options, async ({ client }) => {
        const state = readState(options.state)
        const ids = webhookId === undefined ? await allWebhooks(client) : [webhookId]
        const lists = ids.map((id) =>
          collect(client.listDeliveries(id, state === undefined ? {} : { state })),
        )
        return reportDeliveries((await Promise.all(lists)).flat())
      }),
    )

  defineCommand(program, 'retry <event_id>', 'deliver an event again now', [
    'retry evt_…',
    'retry evt_… --webhook whk_…',
  ])
    .option('--webhook <id>', 'to this webhook alone; else wherever it is not delivered')
    .action((eventId: string, options: CommonOptions & { webhook?: string }) =>
      runCommand(io, options, async ({ client }) => {
        const { webhook } = options
        const ids = webhook === undefined ? await undelivered(client, eventId) : [webhook]
        return reportDeliveries(
          await Promise.all(ids.map((id) => client.retryDelivery(id, eventId))),
        )
      }),
    )
}

async function allWebhooks(client: Client): Promise<string[]> {
  return (await client.listWebhooks()).map(({ id }) => id)
}

async function undelivered(client: Client, eventId: string): Promise<string[]> {
  const { deliveries } = await client.getEvent(eventId)
  const open = deliveries.filter(({ state }) => state !== 'delivered')
  if (open.length > 0) return open.map((delivery) => delivery.webhook_id)
  const reason =
    deliveries.length === 0 ? 'is for no webhook of yours' : 'has been delivered everywhere'
  throw new SvcError(
    'nothing_to_retry',
    `${eventId} ${reason}: name a webhook with --webhook.`,
    EXIT.refused,
  )
}

function readState(state: string | undefined): Delivery['state'] | undefined {
  const known = STATES.find((it) => it === state)
  if (state === undefined || known !== undefined) return known
  throw new SvcError('usage', `A delivery is ${STATES.join(', ')}: not "${state}".`)
}

function reportDeliveries(deliveries: readonly Delivery[]): Report {
  return reportList(
    deliveries,
    {
      event: (it) => it.event_id,
      type: (it) => it.event_type,
      webhook: (it) => it.webhook_id,
      state: (it) => it.state,
      attempts: (it) => it.attempts[0]?.number ?? 0,
      last: (it) => it.attempts[0]?.status ?? it.attempts[0]?.error,
      next: (it) => it.next_attempt_at,
    },
    'There are no deliveries.',
  )
}
