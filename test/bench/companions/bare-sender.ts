// The floor of delivering: a loop over the same HTTP client that signs and posts the same bytes. No
// database, no checks of addresses, no record.
import { Agent } from 'undici'
import { signDelivery } from '../../../src/domain/webhooks/sign-delivery.ts'
import { answerQuestions } from './processes.ts'

export type BareSend = { port: number; body: string; count: number; concurrency: number }

const agent = new Agent({ connections: 256, pipelining: 1 })

answerQuestions(async ({ port, body, count, concurrency }: BareSend) => {
  const bytes = Buffer.from(body)
  let left = count
  const startedAt = performance.now()
  const loop = async () => {
    while (left > 0) {
      left -= 1
      await post(port, bytes)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return { perSecond: count / ((performance.now() - startedAt) / 1_000) }
})

async function post(port: number, body: Buffer): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1_000)
  const { statusCode, body: answer } = await agent.request({
    origin: `http://127.0.0.1:${port}`,
    path: '/',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'X-SVC-Webhook-Timestamp': String(timestamp),
      'X-SVC-Webhook-Signature': signDelivery('whsec_bench', timestamp, body),
    },
    body,
  })
  await answer.dump()
  if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`)
}
