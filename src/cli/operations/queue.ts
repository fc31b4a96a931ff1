import { type Command, Option } from 'commander'
import { formatDecimal } from '../../core/money.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { readPriceSources } from '../../domain/operations/prices.ts'
import { readQueueLag } from '../../domain/operations/queue.ts'
import { listTroubledWebhooks, type Trouble } from '../../domain/operations/webhooks.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { FIRST_PAGE, offerTenant } from '../command/options.ts'
import { formatRows, reportList, showTime } from '../command/output.ts'

export function addQueueCommands(group: Command, io: CliIo): void {
  addQueue(group, io)
  addWebhooks(group, io)
  addPrices(group, io)
}

function addQueue(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'queue',
    'Show how much work and how many deliveries wait, and for how long the oldest has.',
    ['operations queue'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const lag = await readQueueLag(db, now)
      const { due, webhooks, oldestMs } = lag.deliveries
      const seconds = (ms: number) => Math.round(ms) / 1_000
      const classes = lag.classes.map((one) => ({
        ...{ name: one.name, ready: one.ready, oldest_seconds: seconds(one.oldestMs) },
      }))
      const rows = [
        ...classes.map((one) => [one.name, String(one.ready), String(one.oldest_seconds)]),
        [`deliveries of ${webhooks} webhooks`, String(due), String(seconds(oldestMs))],
      ]
      return {
        data: {
          ...{ worker_seen_at: lag.workerSeenAt, running: lag.running, classes },
          deliveries: { due, webhooks, oldest_seconds: seconds(oldestMs) },
        },
        text: `${formatRows(['class', 'waiting', 'oldest, seconds'], rows)}\nA worker was last seen at ${showTime(lag.workerSeenAt)}; ${lag.running} pieces of work run.`,
      }
    })
  })
}

function addWebhooks(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'webhooks',
    'List the webhooks of all tenants that fail or are disabled.',
    ['operations webhooks', 'operations webhooks --trouble disabled'],
  ).addOption(new Option('--trouble <kind>', 'one kind').choices(['failing', 'disabled']))
  type Options = CommonOptions & { tenant?: string; trouble?: Trouble }
  offerTenant(command).action(async (options: Options) => {
    await runCommand(io, options, async ({ db, now }) => {
      const { tenant: tenantId, trouble } = options
      const page = await listTroubledWebhooks(db, { tenantId, trouble }, FIRST_PAGE, now)
      const items = page.items.map((webhook) => ({
        ...{ tenant_id: webhook.tenantId, webhook_id: webhook.webhookId, origin: webhook.origin },
        ...{ state: webhook.state, failed_attempts: webhook.failedAttempts },
        ...{ disabled_at: webhook.disabledAt, oldest_due_at: webhook.oldestDueAt },
        last_attempt: webhook.lastAttempt,
      }))
      return reportList(items, {
        columns: ['tenant', 'webhook', 'origin', 'state', 'failed', 'oldest due', 'last answer'],
        rows: items.map((item) => [
          ...[item.tenant_id, item.webhook_id, item.origin, item.state],
          ...[String(item.failed_attempts), showTime(item.oldest_due_at)],
          item.last_attempt?.answer ?? '',
        ]),
        empty: 'No webhook fails or is disabled.',
      })
    })
  })
}

function addPrices(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'prices',
    'List the last accepted price of each asset, with its sources and the spread between them.',
    ['operations prices'],
  ).action(async (options: CommonOptions) => {
    await runCommand(io, options, async ({ db, now }) => {
      const items = (await readPriceSources(db, now)).map((one) => ({
        ...{ asset: one.asset, price: formatPrice(one.price), accepted_at: one.acceptedAt },
        spread: formatDecimal(one.spreadPpm, 6),
        quotes: one.quotes.map(({ source, price, at }) => ({
          ...{ source, price: formatPrice(price), at },
        })),
      }))
      return reportList(items, {
        columns: ['asset', 'price', 'accepted', 'spread', 'quotes'],
        rows: items.map((item) => [
          ...[item.asset, item.price, showTime(item.accepted_at), item.spread],
          item.quotes.map(({ source, price }) => `${source} ${price}`).join(', '),
        ]),
        empty: 'No price was accepted: this stack makes no rounds of prices.',
      })
    })
  })
}
