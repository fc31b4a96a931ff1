import type { Client } from '../client/client.ts'
import type { Webhook } from '../client/resources.ts'

/** The label of the webhook that the command listen registers. */
export const LISTEN_LABEL = 'svc listen'

/** Every webhook with its state, newest first. */
export async function readWebhooks(client: Client): Promise<Webhook[]> {
  const listed = await client.listWebhooks()
  return await Promise.all(listed.map(({ id }) => client.getWebhook(id)))
}

/** Those to which something is delivered. */
export async function readActiveWebhooks(client: Client): Promise<Webhook[]> {
  return (await readWebhooks(client)).filter(({ state }) => state === 'active')
}
