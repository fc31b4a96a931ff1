// Unsigned requests on 20 connections, until it is asked to stop: one at a time on each, or hundreds
// sent ahead and then hundreds more when those are answered. Over bare sockets, because it shares the
// machine with what it floods.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerQuestions } from './processes.ts'

export type FloodQuestion =
  | { ask: 'begin'; port: number; connections: number; ahead: number }
  | { ask: 'end' }

/** How many were answered since it began. */
export type FloodAnswer = { answered: number }

const REQUEST = 'GET /v1/documents HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const STATUS_LINE = 'HTTP/1.1 4'

let sockets: Socket[] = []
let answered = 0

answerQuestions(async (question: FloodQuestion): Promise<FloodAnswer> => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  if (question.ask === 'begin') {
    answered = 0
    const { port, connections, ahead } = question
    sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) flood(socket, ahead)
  }
  return { answered }
})

function flood(socket: Socket, ahead: number): void {
  const requests = REQUEST.repeat(ahead)
  let due = ahead
  let tail = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    // A status line may come in two parts; what is kept of it is too short to be counted twice.
    const text = tail + chunk.toString('latin1')
    tail = text.slice(1 - STATUS_LINE.length)
    const more = text.split(STATUS_LINE).length - 1
    answered += more
    due -= more
    if (due > 0) return
    due = ahead
    socket.write(requests)
  })
  socket.write(requests)
}
