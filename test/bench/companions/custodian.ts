// A custodian that answers every call 50 ms after it came, as in the vendors' contract, and three
// exchanges with constant prices.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { answerTicker } from '../../support/servers/tickers.ts'
import { answerQuestions } from './processes.ts'

export type CustodianQuestion =
  | { ask: 'listen'; prices: Record<string, string>; quantities: Record<string, string> }
  | { ask: 'counts' }
/** Calls about many accounts, the accounts they named, and calls of any other kind. */
export type CustodianAnswer = { port: number; calls: number; accounts: number; others: number }

const ANSWERS_AFTER_MS = 50

const counts = { calls: 0, accounts: 0, others: 0 }
let port = 0
let prices = new Map<string, string>()
let positions: { asset: string; quantity: string }[] = []

answerQuestions(async (question: CustodianQuestion): Promise<CustodianAnswer> => {
  if (question.ask === 'listen') {
    prices = new Map(Object.entries(question.prices))
    positions = Object.entries(question.quantities).map(([asset, quantity]) => {
      return { asset, quantity }
    })
    port = await listen()
  }
  return { port, ...counts }
})

async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = request.url ?? ''
  const [, vendor = '', operation = ''] = target.split('/')
  response.setHeader('content-type', 'application/json')
  const ticker = answerTicker(prices, vendor, target, new Date())
  if (ticker !== undefined) {
    response.end(JSON.stringify(ticker))
    return
  }
  const [body] = await Promise.all([buffer(request), pause(ANSWERS_AFTER_MS)])
  response.end(JSON.stringify(decide(operation, body)))
}

function decide(operation: string, body: Buffer): object {
  if (operation !== 'readings') {
    counts.others += 1
    return operation === 'positions' ? { status: 'done', positions } : { status: 'done' }
  }
  const { accounts } = JSON.parse(body.toString()) as { accounts: { facility_id: string }[] }
  counts.calls += 1
  counts.accounts += accounts.length
  const answers = accounts.map(({ facility_id }) => ({ facility_id, status: 'done', positions }))
  return { status: 'done', accounts: answers }
}
