import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { EventType, Webhook } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import {
  type CommonOptions,
  completeCommand,
  defineCommand,
  runCommand,
} from '../define-command.ts'
import { formatFields, reportList } from '../output.ts'
import type { SvcIo } from '../svc-io.ts'
import { explainDisabled, readWebhooks } from '../webhooks.ts'

type RegisterOptions = CommonOptions & { events?: string[]; label?: string }

type RecoverOptions = CommonOptions & { since: string; from?: string }

export function addWebhookCommands(program: Command, io: SvcIo): void {
  const group = program.command('webhooks').description('the addresses that get your events')
  const list = group.command('list', { isDefault: true })
  completeCommand(list, 'list webhooks with their state', ['webhooks list']).action(
    (options: CommonOptions) => runCommand(io, options, ({ client }) => listWebhooks(client)),
  )
  defineCommand(group, 'register <url>', 'send events to an address', [
    'webhooks register https://example.com/webhooks',
    'webhooks register https://example.com/margin --events margin_warning.raised --label margin',
  ])
    .option('--events <types...>', 'only these; else all')
    .option('--label <text>', 'a name of your own for it')
    .action((url: string, { events, label, ...options }: RegisterOptions) =>
      runCommand(io, options, async ({ client }) => {
        const id = await client.registerWebhook({
          url,
          // The service checks the names.
          ...(events && { event_types: events as EventType[] }),
          ...(label !== undefined && { label }),
        })
        return reportWebhook(await client.getWebhook(id), io)
      }),
    )
  defineCommand(group, 'show <webhook_id>', 'show one with its state and failed attempts', [
    'webhooks show whk_…',
  ]).action((webhookId: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) =>
      reportWebhook(await client.getWebhook(webhookId), io),
    ),
  )
  defineCommand(group, 'recover <webhook_id>', 'deliver again what failed', [
    'webhooks recover whk_… --since 2026-11-20T06:00:00Z',
    'webhooks recover whk_… --since 2026-11-20T06:00:00Z --from whk_…',
  ])
    .requiredOption('--since <timestamp>', 'events written from this instant on')
    .option('--from <webhook_id>', 'what that webhook has missed')
    .action((webhookId: string, { since, from, ...options }: RecoverOptions) =>
      runCommand(io, options, async ({ client }) => {
        const recovery = await client.recoverWebhook(webhookId, {
          since,
          ...(from !== undefined && { from_webhook_id: from }),
        })
        const { deliveries } = recovery
        const text = `${webhookId} gets ${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} again.`
        return { data: recovery, text }
      }),
    )
  defineCommand(group, 'delete <webhook_id>', 'end deliveries to a webhook', [
    'webhooks delete whk_…',
  ]).action((webhookId: string, options: CommonOptions) =>
    runCommand(io, options, async ({ client }) => {
      await client.deleteWebhook(webhookId)
      return { data: { deleted: webhookId }, text: `${webhookId} is deleted.` }
    }),
  )
}

function reportWebhook(webhook: Webhook, io: SvcIo): Report {
  const { id, url, state, label, event_types, consecutive_failed_attempts: failed } = webhook
  const events = event_types.join(' ') || 'all'
  const fields = formatFields({ webhook: id, state, failed, url, events, label })
  const cure = state === 'disabled' ? `\n${explainDisabled(webhook, io)}` : ''
  return { data: webhook, text: `${fields}${cure}` }
}

async function listWebhooks(client: Client): Promise<Report> {
  return reportList(
    await readWebhooks(client),
    {
      webhook: (it) => it.id,
      state: (it) => it.state,
      failed: (it) => it.consecutive_failed_attempts,
      url: (it) => it.url,
      events: (it) => it.event_types.join(' ') || 'all',
      label: (it) => it.label,
    },
    'There are no webhooks.',
  )
}
