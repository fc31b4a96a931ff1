// The load generator: 32 kept-alive connections, one request at a time on each, over bare sockets,
// because it shares the machine with what it measures. Requests are signed before the clock starts.
import { createPrivateKey, hash, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerQuestions } from './answer-questions.ts'

export type Load = {
  port: number
  method: 'GET' | 'POST' | 'PUT'
  /** Each request goes to the next of them in turn. */
  targets: readonly string[]
  /**
   * Empty for a GET, with the same bytes each time. A POST carries a new Idempotency-Key each time.
   * In place of `{now}` each gets an instant later than that of the one before.
   */
  body: string
  /** Each request is sent in the name of the next of them in turn. */
  keyIds: readonly string[]
  privateKeyPem: string
  requests: number
  connections: number
}

/** `perSecond` answers; percentiles of the time from write to whole answer, in milliseconds. */
export type LoadResult = {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

answerQuestions(async (load: Load): Promise<LoadResult | { failure: string }> => {
  try {
    return await runLoad(load)
  } catch (error) {
    return { failure: String(error) }
  }
})

async function runLoad(load: Load): Promise<LoadResult> {
  const requests = signRequests(load)
  const sockets = Array.from({ length: load.connections }, () => connect(load.port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket.setNoDelay(), 'connect')))
  const latencies = new Float64Array(load.requests)
  const startedAt = performance.now()
  let next = 0
  const turns = sockets.map((socket) =>
    drive(socket, {
      take: () => (next < requests.length ? requests[next++] : undefined),
      latencies,
    }),
  )
  await Promise.all(turns)
  const seconds = (performance.now() - startedAt) / 1_000
  for (const socket of sockets) socket.destroy()
  latencies.sort()
  return {
    perSecond: load.requests / seconds,
    p50Ms: latencies[Math.floor(load.requests * 0.5)] ?? 0,
    p99Ms: latencies[Math.floor(load.requests * 0.99)] ?? 0,
  }
}

/** A run is given up when one answer takes as long as this. */
const PATIENCE_MS = 30_000

type SignedBytes = { at: number; bytes: Buffer }

function signRequests(load: Load): SignedBytes[] {
  const key = createPrivateKey(load.privateKeyPem)
  const startedAt = Date.now()
  const variants = load.method === 'GET' ? Math.min(load.keyIds.length, load.requests) : 0
  const same = Array.from({ length: variants }, (_, at) => toBytes(load, at, startedAt, key))
  return Array.from({ length: load.requests }, (_, at) => ({
    at,
    bytes: same[at % variants] ?? toBytes(load, at, startedAt, key),
  }))
}

function toBytes(load: Load, at: number, startedAt: number, key: KeyObject): Buffer {
  const { method, targets, keyIds } = load
  const keyId = keyIds[at % keyIds.length] ?? ''
  const target = targets[at % targets.length] ?? ''
  const body = load.body.replace('{now}', toInstant(startedAt, at))
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const idempotencyKey = method === 'POST' ? randomUUID() : ''
  const bodyHash = hash('sha256', body, 'hex')
  const parts = ['SVC-ED25519-V1', keyId, timestamp, method, target, idempotencyKey, bodyHash]
  const signature = sign(null, Buffer.from(parts.join('\n')), key).toString('base64')
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    `X-SVC-Key-Id: ${keyId}`,
    `X-SVC-Timestamp: ${timestamp}`,
    `X-SVC-Signature: ${signature}`,
    ...(method === 'GET'
      ? []
      : [
          ...(method === 'POST' ? [`Idempotency-Key: ${idempotencyKey}`] : []),
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(body)}`,
        ]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** A microsecond after another: signing them takes longer, so none lies in the future. */
function toInstant(startedAt: number, at: number): string {
  const millis = new Date(startedAt + Math.floor(at / 1_000)).toISOString().slice(0, -1)
  return `${millis}${String(at % 1_000).padStart(3, '0')}Z`
}

type Drive = {
  take: () => SignedBytes | undefined
  latencies: Float64Array
}

/** Sends one request after another, each when the last was answered by a 2xx. */
function drive(socket: Socket, { take, latencies }: Drive): Promise<void> {
  return new Promise((resolve, reject) => {
    let current: SignedBytes | undefined
    let sentAt = 0
    let answer = ''
    const sendNext = () => {
      current = take()
      if (!current) return resolve()
      sentAt = performance.now()
      socket.write(current.bytes)
    }
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (!isWhole(answer)) return
      if (answer[9] !== '2') return reject(new Error(answer))
      if (current) latencies[current.at] = performance.now() - sentAt
      answer = ''
      sendNext()
    })
    socket.on('error', reject)
    socket.setTimeout(PATIENCE_MS, () => reject(new Error('no answer came')))
    socket.on('close', () => reject(new Error('the connection was closed')))
    sendNext()
  })
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1]
  return answer.length >= headEnd + 4 + Number(length ?? 0)
}
