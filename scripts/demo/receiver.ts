import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, type WebhookVerdict } from '../../src/client/verify-webhook.ts'

export type Delivery = { headers: IncomingHttpHeaders; verdict: WebhookVerdict }

/** A webhook receiver on a free port of this machine that trusts only what the secret signed. */
export async function startReceiver(secret: string, onDelivery: (delivery: Delivery) => void) {
  const server = createServer(async (request, response) => {
    const { headers } = request
    const rawBody = await buffer(request)
    const verdict = verifyWebhook({ rawBody, headers, secret, now: new Date() })
    response.writeHead(verdict.ok ? 204 : 400).end()
    onDelivery({ headers, verdict })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
