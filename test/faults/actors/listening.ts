import { randomUUID } from 'node:crypto'
import { actUntilStopped, attempt, rest, type Stage } from './actor.ts'
import { BEHAVIOURS } from './receivers.ts'

/** Webhooks are registered, misbehave, are deleted; secrets are replaced; deliveries looked after. */
export async function listen(stage: Stage): Promise<void> {
  const { random, tenant, receivers } = stage
  const { client } = tenant
  const webhooks: { id: string; path: string }[] = []
  await attempt(stage, () => replaceSecret(stage))
  await actUntilStopped(stage, async () => {
    const one = webhooks.length > 0 ? random.pick(webhooks) : undefined
    const action = random.pick([
      'register',
      'behave',
      'behave',
      'secret',
      'retry',
      'recover',
      'log',
      'delete',
    ] as const)
    switch (one === undefined || webhooks.length < 3 ? 'register' : action) {
      case 'register': {
        const path = `/${tenant.name}/${randomUUID()}`
        const url = receivers.urlOf(path)
        const types = random.pick([[], [], ['borrower.eligible', 'draw.completed']] as const)
        const id = await client.registerWebhook({ url, event_types: [...types] })
        webhooks.push({ id, path })
        break
      }
      case 'behave':
        if (one) receivers.behave(one.path, random.pick(['ok', 'ok', ...BEHAVIOURS]))
        break
      case 'secret':
        await replaceSecret(stage)
        break
      case 'retry':
        if (one) await retryOne(stage, one.id)
        break
      case 'recover': {
        const others = webhooks.filter(({ id }) => id !== one?.id)
        const [from] = random.pick([[], ...others.map(({ id }) => [id])])
        if (one) await recover(stage, one.id, from)
        break
      }
      case 'log':
        await client.listEvents({ limit: 20 })
        if (one) await client.replayEvents(one.id, { limit: 20 })
        break
      case 'delete':
        if (one && webhooks.length > 4) {
          webhooks.splice(webhooks.indexOf(one), 1)
          await client.deleteWebhook(one.id)
          tenant.deletions.set(one.id, Date.now())
        }
        break
    }
    await rest(stage, 50, 400)
  })
}

async function replaceSecret({ tenant }: Stage): Promise<void> {
  const secret = await tenant.client.createSigningSecret()
  tenant.secrets.push({ secret, at: Date.now() })
}

async function retryOne(stage: Stage, webhookId: string): Promise<void> {
  const { client } = stage.tenant
  const { items } = await client.listDeliveries(webhookId, { limit: 10 })
  const [chosen] = items.filter(({ attempts }) => attempts.length > 0)
  if (chosen) await attempt(stage, () => client.retryDelivery(webhookId, chosen.event_id))
}

async function recover(stage: Stage, id: string, from: string | undefined): Promise<void> {
  const since = new Date(Date.now() - 60_000).toISOString()
  await attempt(stage, () =>
    stage.tenant.client.recoverWebhook(id, { since, ...(from && { from_webhook_id: from }) }),
  )
}
