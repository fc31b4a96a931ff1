import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { createInbox, type Inbox, type InboxOptions } from '../../src/client/inbox/inbox.ts'
import type { InboxStore } from '../../src/client/inbox/store.ts'
import type { WebhookEvent } from '../../src/client/resources/resources.ts'
import { conformance, type LogEvent, type Scenario } from './conformance.ts'

const START = Date.parse('2026-11-20T12:00:00Z')

/** Plays a scenario of the conformance file over a store. */
export async function playScenario<Tx>(scenario: Scenario, store: InboxStore<Tx>): Promise<void> {
  const world = { nowMs: START, logTo: Number.POSITIVE_INFINITY, failing: [] as number[] }
  let replayFails: string | null = null
  let [webhookId = ''] = Object.keys(scenario.webhooks)
  let seen = { applied: [] as number[], reads: 0, incidents: [] as string[] }

  const client = {
    getWebhook: async (id: string) => ({ event_types: webhookOf(scenario, id).event_types }),
    async replayEvents(id: string, { from }: { from?: string } = {}) {
      seen.reads += 1
      if (replayFails !== null) throw new Error(replayFails)
      return replay(scenario, id, { from, logTo: world.logTo })
    },
  }
  const start = (): Inbox =>
    createInbox<Tx>({
      name: scenario.name,
      webhookId,
      secrets: conformance.secret,
      client: client as unknown as InboxOptions<Tx>['client'],
      store,
      now: () => new Date(world.nowMs),
      report: ({ kind }) => seen.incidents.push(kind),
      apply({ sequence }) {
        if (world.failing.includes(sequence)) throw new Error('failed, as it should')
        seen.applied.push(sequence)
      },
    })
  let inbox = start()

  async function post(event: object): Promise<number> {
    const rawBody = JSON.stringify(event)
    const timestamp = String(Math.floor(world.nowMs / 1_000))
    const hex = createHmac('sha256', conformance.secret).update(`${timestamp}.${rawBody}`)
    const headers = {
      'x-svc-webhook-timestamp': timestamp,
      'x-svc-webhook-signature': `sha256=${hex.digest('hex')}`,
    }
    return await inbox.receive({ rawBody: Buffer.from(rawBody), headers })
  }

  for (const step of scenario.steps) {
    if ('deliver' in step) {
      for (const sequence of step.deliver) {
        const event = scenario.log.find((one) => one.sequence === sequence)
        expect(event && (await post(toEvent(event)))).toBe(204)
      }
    } else if ('post' in step) expect(await post(step.post.event)).toBe(step.post.status)
    else if ('tick' in step) {
      await inbox.tick().catch(() => seen.incidents.push('unavailable'))
    } else if ('wait' in step) world.nowMs += Math.round(step.wait * 1_000)
    else if ('fail' in step) world.failing = step.fail
    else if ('log_to' in step) world.logTo = step.log_to
    else if ('replay_fails' in step) replayFails = step.replay_fails
    else if ('restart' in step) inbox = start()
    else if ('webhook' in step) {
      webhookId = step.webhook
      inbox = start()
    } else {
      expect({ ...seen, applied_sequence: await inbox.appliedSequence() }).toEqual(step.expect)
      seen = { applied: [], reads: 0, incidents: [] }
    }
  }
}

function webhookOf({ webhooks }: Scenario, id: string) {
  const webhook = webhooks[id]
  if (!webhook) throw new Error(`the scenario has no webhook ${id}`)
  return webhook
}

/** As the service pages: a cursor belongs to its webhook. */
function replay(
  scenario: Scenario,
  id: string,
  { from, logTo }: { from: string | undefined; logTo: number },
) {
  const webhook = webhookOf(scenario, id)
  const [owner = id, after = '0'] = from?.split(':') ?? []
  if (owner !== id) throw new Error('cursor_invalid')
  const events = scenario.log
    .filter(({ sequence }) => sequence >= webhook.from && sequence <= logTo)
    .filter(({ sequence }) => sequence > Number(after))
    .map(toEvent)
    .filter(({ type }) => webhook.event_types.length === 0 || webhook.event_types.includes(type))
  const items = events.slice(0, scenario.page)
  const next_cursor = `${id}:${items.at(-1)?.sequence ?? after}`
  return { items, next_cursor, has_more: events.length > items.length }
}

function toEvent({ sequence, resource, version, type }: LogEvent): WebhookEvent {
  const [kind, ...id] = resource.split('/')
  return {
    id: `evt_${sequence}`,
    type: type ?? 'borrower.eligible',
    occurred_at: '2026-11-20T12:00:05.000Z',
    resource_version: version,
    resource: { type: kind, id: id.join('/') },
    sequence,
    data: {},
  } as unknown as WebhookEvent
}
