import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, type WebhookVerdict } from '../../client/verify-webhook.ts'

export type Delivery = { headers: IncomingHttpHeaders; rawBody: Buffer; verdict: WebhookVerdict }

type Listening = { secret: string | undefined; host?: string; port?: number }

/** Returns the status to answer. Unverified requests get 400 without it. */
export type OnDelivery = (delivery: Delivery) => number | Promise<number>

/** Accepts only what is signed with the secret, if it is known; on a free port unless one is given. */
export async function startReceiver(
  { secret, host = '127.0.0.1', port = 0 }: Listening,
  onDelivery: OnDelivery,
) {
  const server = createServer((request, response) => {
    receive(request, secret, onDelivery).then(
      (status) => response.writeHead(status).end(),
      // The sender has hung up.
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}/webhooks`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function receive(
  request: IncomingMessage,
  secret: string | undefined,
  onDelivery: OnDelivery,
): Promise<number> {
  const { headers } = request
  const rawBody = await buffer(request)
  const verdict: WebhookVerdict =
    secret === undefined
      ? { ok: true, event: JSON.parse(rawBody.toString()) }
      : verifyWebhook({ rawBody, headers, secret, now: new Date() })
  const status = await onDelivery({ headers, rawBody, verdict })
  return verdict.ok ? status : 400
}
