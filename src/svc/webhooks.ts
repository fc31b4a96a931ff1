import { connect } from 'node:net'
import type { Client } from '../client/client.ts'
import { ProblemError } from '../client/problem-error.ts'
import type { Webhook } from '../client/resources/resources.ts'
import type { SvcIo } from './svc-io.ts'

/** Label of the webhook that `listen` registers. */
export const LISTEN_LABEL = 'svc listen'

export async function readWebhooks(client: Client): Promise<Webhook[]> {
  const listed = await client.listWebhooks()
  return await Promise.all(listed.map(({ id }) => client.getWebhook(id)))
}

export async function readActiveWebhooks(client: Client): Promise<Webhook[]> {
  return (await readWebhooks(client)).filter(({ state }) => state === 'active')
}

export function isThisMachine(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/** Deletes what a killed `listen` left, unless its port is in use: another terminal's. */
export async function deleteLeftovers(client: Client): Promise<string[]> {
  const ours = (await client.listWebhooks()).filter(
    ({ label, url }) => label === LISTEN_LABEL && isThisMachine(url),
  )
  const deleted: string[] = []
  for (const webhook of ours) {
    if (await isListenedOn(new URL(webhook.url))) continue
    await client.deleteWebhook(webhook.id).catch((error: unknown) => {
      // Another terminal deleted it first.
      if (!(error instanceof ProblemError && error.is('not_found'))) throw error
    })
    deleted.push(webhook.id)
  }
  return deleted
}

async function isListenedOn(url: URL): Promise<boolean> {
  return (await tryConnect(url)) === undefined
}

/** The system's error for a connection to this address; undefined where it succeeds. */
export function tryConnect(url: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(hostAndPort(url))
    const end = (said: string | undefined) => {
      socket.destroy()
      resolve(said)
    }
    socket
      .once('connect', () => end(undefined))
      .once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}

export function hostAndPort({ hostname, port, protocol }: URL): { host: string; port: number } {
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

/** Names the commands that register another webhook like a disabled one. */
export function explainDisabled(
  { id, url, event_types: events, label }: Webhook,
  { programName }: Pick<SvcIo, 'programName'>,
): string {
  const options = [
    ...(events.length > 0 ? ['--events', ...events] : []),
    ...(label === undefined ? [] : ['--label', quote(label)]),
  ]
  const register = [programName, 'webhooks register', quote(url), ...options].join(' ')
  const recover = `${programName} webhooks recover <new id> --since <when it failed> --from ${id}`
  return `${id} (${url}) is disabled: too many attempts failed in a row. Once something answers there, replace it: ${register}, then ${recover}, then ${programName} webhooks delete ${id}`
}

/** Quoted for a shell. */
function quote(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
