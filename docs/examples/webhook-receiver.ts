// A webhook receiver on Node's own HTTP server: WEBHOOK_SECRET=whsec_… npx node docs/examples/webhook-receiver.ts
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from 'lending-service'

const { WEBHOOK_SECRET: secret, RECEIVER_PORT: port = '9000' } = process.env
if (!secret) {
  console.error('Set WEBHOOK_SECRET to your signing secret.')
  process.exit(1)
}
const seen = new Set<string>() // in production: a table with the event id as its key

const server = createServer(async (request, response) => {
  const rawBody = await buffer(request) // before anything parses it
  const verdict = verifyWebhook({ rawBody, headers: request.headers, secret, now: new Date() })
  if (!verdict.ok) {
    console.warn(`refused: ${verdict.reason}`)
    response.writeHead(400).end()
    return
  }
  const { event } = verdict
  if (!seen.has(event.id)) {
    seen.add(event.id)
    console.log('verified', event.type, event.resource.id, event.data) // in production: put it in a queue
  }
  response.writeHead(204).end()
})

server.on('error', ({ message }) => {
  console.error(`${message}: RECEIVER_PORT names another port.`)
  process.exitCode = 1
})
server.listen(Number(port), '127.0.0.1')
