import type { Client } from '../client/client.ts'
import { ProblemError } from '../client/problem-error.ts'
import type { SimulationResult } from '../client/resources/resources.ts'
import { hostAndPort, isThisMachine, tryConnect } from './webhooks.ts'

type DeliveryError = NonNullable<SimulationResult['response']['error']>

export type Failed = { host: string; port: number; system_error?: string; reason: string }

/**
 * Undefined where the key may not read webhooks. The service names only a class of errors; on one
 * machine the connection is tried again from here to show the system's error.
 */
export async function explainNoAnswer(
  client: Client,
  baseUrl: string,
  webhookId: string,
  error: DeliveryError,
): Promise<Failed | undefined> {
  const url = await readUrl(client, webhookId)
  if (url === undefined) return undefined
  const { host, port } = hostAndPort(url)
  const isLocal = error === 'connect' && isThisMachine(baseUrl) && isThisMachine(url.href)
  const systemError = isLocal ? await tryConnect(url) : undefined
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const reason = describe(error, place, host)
  return {
    host,
    port,
    ...(systemError !== undefined && { system_error: systemError }),
    reason: systemError === undefined ? `${reason}.` : `${reason} (${systemError}).`,
  }
}

async function readUrl(client: Client, webhookId: string): Promise<URL | undefined> {
  try {
    return new URL((await client.getWebhook(webhookId)).url)
  } catch (error) {
    if (error instanceof ProblemError && error.is('scope_missing')) return undefined
    throw error
  }
}

function describe(error: DeliveryError, place: string, host: string): string {
  switch (error) {
    case 'dns':
      return `The name ${host} was not found`
    case 'connect':
      return `There was no connection to ${place}, or it broke`
    case 'tls':
      return `The TLS handshake with ${place} failed`
    case 'timeout':
      return `${place} did not answer in time`
    case 'address_not_allowed':
      return `The service may not post to ${place}`
    default: {
      const unreachable: never = error
      return unreachable
    }
  }
}
