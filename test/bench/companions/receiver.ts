// A tenant's endpoint: answers 200 to every delivery and, once asked to, notes when each one came.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerQuestions } from './answer-questions.ts'

export type ReceiverQuestion = { ask: 'listen'; host: string } | { ask: 'note' | 'arrivals' }
/** `arrivals`: each borrower's first delivery, as milliseconds of the wall clock. */
export type ReceiverAnswer = { port: number; arrivals: Map<string, number> }

let port = 0
let isNoting = false
let arrivals = new Map<string, number>()

answerQuestions(async (question: ReceiverQuestion): Promise<ReceiverAnswer> => {
  if (question.ask === 'listen') port = await listen(question.host)
  if (question.ask === 'note') isNoting = true
  const seen = arrivals
  if (question.ask === 'arrivals') arrivals = new Map()
  return { port, arrivals: seen }
})

async function listen(host: string): Promise<number> {
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.end('ok')
      if (isNoting) note(chunks, at, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

function note(chunks: Buffer[], at: number, request: IncomingMessage): void {
  const { data } = JSON.parse(Buffer.concat(chunks).toString())
  const isFirst = request.headers['x-svc-delivery-attempt'] === '1'
  if (isFirst && !arrivals.has(data.borrower_id)) arrivals.set(data.borrower_id, at)
}
