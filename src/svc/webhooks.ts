import { connect } from 'node:net'
import type { Client } from '../client/client.ts'
import { ProblemError } from '../client/problem-error.ts'
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

/** An address that leads nowhere but to the machine it is used on. */
export function isThisMachine(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/**
 * Deletes the webhooks that a listen of this machine left behind, as it does when it is killed, and
 * returns their ids. One whose port somebody listens on stays: it may be that of another terminal.
 */
export async function deleteLeftovers(client: Client): Promise<string[]> {
  const ours = (await client.listWebhooks()).filter(
    ({ label, url }) => label === LISTEN_LABEL && isThisMachine(url),
  )
  const deleted: string[] = []
  for (const webhook of ours) {
    if (await isListenedOn(new URL(webhook.url))) continue
    await client.deleteWebhook(webhook.id).catch((error: unknown) => {
      // Another terminal was faster.
      if (!(error instanceof ProblemError && error.is('not_found'))) throw error
    })
    deleted.push(webhook.id)
  }
  return deleted
}

function isListenedOn({ hostname, port, protocol }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
