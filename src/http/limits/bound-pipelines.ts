// Node's parser runs every request that a connection has sent ahead (up to 64 KiB), so a client
// that pipelines takes more than its share. Here the parser gets one request at a time and the rest
// stays in the socket. Message ends are only found to know how much to pass on: Node's parser alone
// decides what the bytes mean.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Two keep a connection busy while an answer is written. */
export const MAX_REQUESTS_IN_FLIGHT = 2

const END_OF_HEAD = '\r\n\r\n'

type Connection = {
  socket: Socket
  /** Passes bytes to Node's parser. */
  parse: (bytes: Buffer) => void
  inFlight: number
  newest: IncomingMessage | undefined
  /** Bytes left of the newest request's body, where its length is known. */
  bytesLeft: number
  /** The last three bytes of an unfinished head. */
  tail: Buffer
  isOver: boolean
}

/**
 * Leaves further requests unread until answers have gone out. A running request's body is always
 * read.
 */
export function boundPipelines(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, Connection>()
  const { server } = app
  server.on('connection', (socket: Socket) => {
    // Node's own listener is the first; without it the parser takes no bytes past this one.
    const [parse, ...others] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    if (!parse || others.length > 0) throw new Error('unexpected data listeners on a connection')
    const connection: Connection = {
      socket,
      parse,
      inFlight: 0,
      newest: undefined,
      bytesLeft: 0,
      tail: NOTHING,
      isOver: false,
    }
    connections.set(socket, connection)
    socket.removeListener('data', parse)
    socket.on('data', (bytes: Buffer) => read(connection, bytes))
    // Node resumes the socket at the end of each message, and before it reads a body.
    socket.on('resume', () => {
      if (mustHold(connection)) socket.pause()
    })
  })
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)
    if (connection) noteRequest(connection, request, response)
  }
  server.prependListener('request', begin)
  server.prependListener('checkExpectation', begin)
  const end = (socket: Socket | undefined) => {
    const connection = socket && connections.get(socket)
    if (connection) connection.isOver = true
  }
  // After these events the parser takes no more of this connection.
  server.prependListener('clientError', (_error: Error, socket) => end(socket as Socket))
  server.prependListener('connect', (request: IncomingMessage) => end(request.socket))
}

const NOTHING = Buffer.alloc(0)

function noteRequest(
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  connection.inFlight += 1
  connection.newest = request
  connection.bytesLeft = Number(request.headers['content-length'] ?? 0)
  response.once('close', () => {
    connection.inFlight -= 1
    if (!mustHold(connection)) resume(connection)
  })
}

/** Whether the next byte would begin a request that must wait. */
function mustHold(connection: Connection): boolean {
  return !connection.isOver && !isInBody(connection) && isFull(connection)
}

const isFull = ({ inFlight }: Connection) => inFlight >= MAX_REQUESTS_IN_FLIGHT
const isInBody = ({ newest }: Connection) => newest !== undefined && !newest.complete

/** Not where Node has paused the socket: it makes no more answers until some are read. */
function resume({ socket }: Connection): void {
  if (socket.isPaused() && !isPausedByNode(socket)) socket.resume()
}

/** While set, the parser is paused and treats any bytes as an error. */
function isPausedByNode(socket: Socket): boolean {
  return (socket as Socket & { _paused?: boolean })._paused === true
}

function read(connection: Connection, bytes: Buffer): void {
  const { socket } = connection
  let rest = bytes
  while (rest.length > 0 && !connection.isOver && !socket.destroyed) {
    if (mustHold(connection) || isPausedByNode(socket)) {
      // Unshifted, so that the connection's end is not seen before these bytes.
      socket.pause()
      socket.unshift(rest)
      return
    }
    const length = nextLength(connection, rest)
    connection.parse(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
}

/** How many of these bytes belong to the current message for certain. */
function nextLength(connection: Connection, bytes: Buffer): number {
  if (!isInBody(connection)) return lengthOfHead(connection, bytes)
  if (connection.bytesLeft > 0) {
    const length = Math.min(connection.bytesLeft, bytes.length)
    connection.bytesLeft -= length
    return length
  }
  // A chunked body line by line: chunks and the body's end are both followed by a line break.
  const end = bytes.indexOf('\n')
  return end < 0 ? bytes.length : end + 1
}

function lengthOfHead(connection: Connection, bytes: Buffer): number {
  const { tail } = connection
  const end = endOfHead(tail, bytes)
  connection.tail =
    end === undefined ? Buffer.concat([tail, bytes.subarray(-3)]).subarray(-3) : NOTHING
  return end ?? bytes.length
}

/** The index after the empty line, which may have begun in `tail`. */
function endOfHead(tail: Buffer, bytes: Buffer): number | undefined {
  if (tail.length > 0) {
    const across = Buffer.concat([tail, bytes.subarray(0, 3)]).indexOf(END_OF_HEAD)
    if (across >= 0) return across + END_OF_HEAD.length - tail.length
  }
  const at = bytes.indexOf(END_OF_HEAD)
  return at < 0 ? undefined : at + END_OF_HEAD.length
}
