import { createHmac } from 'node:crypto'
import type { WebhookEvent } from '../../client/resources/resources.ts'
import { deliveredBody } from '../../client/verify-chain.ts'
import { SvcError } from '../svc-error.ts'

const TIMEOUT_SECONDS = 10

export type Forwarded = { ok: boolean; status?: number; error?: string; duration_ms: number }

export type Forward = (event: WebhookEvent) => Promise<Forwarded>

/** Throws SvcError for an invalid address. */
export function checkTarget(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new SvcError(
    'usage',
    `--forward takes an address such as http://localhost:4000: not ${url}.`,
  )
}

/** Posts events as signed deliveries, each as the first attempt. */
export function createForwarder(url: string, secret: string): Forward {
  const target = checkTarget(url)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return (event) => {
    const body = deliveredBody(event)
    const timestamp = Math.floor(Date.now() / 1_000).toString()
    const signed = createHmac('sha256', secret).update(`${timestamp}.${body}`)
    const standard = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`)
    return post(target, body, {
      'X-SVC-Event-Id': event.id,
      'X-SVC-Delivery-Attempt': '1',
      'X-SVC-Webhook-Timestamp': timestamp,
      'X-SVC-Webhook-Signature': `sha256=${signed.digest('hex')}`,
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${standard.digest('base64')}`,
    })
  }
}

/** One attempt; reads only the status of the answer. */
export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<Forwarded> {
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1_000),
    })
    await response.body?.cancel()
    return { ok: response.ok, status: response.status, duration_ms: took() }
  } catch (error) {
    return { ok: false, error: reasonOf(error), duration_ms: took() }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'timeout'
  const { code } = (error.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : error.message
}
