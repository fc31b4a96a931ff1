import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: string }

/**
 * Writes exactly these bytes to the port and gives the first answer that comes back, or undefined
 * when the connection ends without one. Text is written as latin1, one byte a character.
 */
export function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  const isHead = bytes.toString('latin1').startsWith('HEAD ')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    const finish = () => {
      socket.destroy()
      resolve(parseAnswer(received))
    }
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(bytes, 'latin1'))
    socket.on('data', (text: string) => {
      received += text
      if (isHead ? received.includes('\r\n\r\n') : isComplete(received)) finish()
    })
    socket.on('error', finish)
    socket.on('close', finish)
  })
}

/** A request as text: start line, headers, empty line, body. */
export function rawRequest(
  startLine: string,
  headers: Record<string, string> | readonly string[] = {},
  body = '',
): string {
  const lines = Array.isArray(headers)
    ? headers
    : Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [startLine, ...lines, '', body].join('\r\n')
}

function isComplete(text: string): boolean {
  const answer = parseAnswer(text)
  if (!answer || !text.includes('\r\n\r\n')) return false
  const length = answer.headers['content-length']
  if (length !== undefined) return answer.body.length >= Number(length)
  return answer.status < 200 || answer.status === 204 || answer.body.endsWith('0\r\n\r\n')
}

function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n')
  const [startLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(startLine)?.[1])
  if (end === -1 || Number.isNaN(status)) return undefined
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status, headers, body: text.slice(end + 4) }
}
