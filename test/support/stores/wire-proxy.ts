import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Fault = {
  /** A statement by its text, or the nth that is executed from now on. */
  at: RegExp | number
  /** The COMMIT that comes after that statement on its connection, in its place. */
  isItsCommit?: boolean
  /** `before`: PostgreSQL does not get it. `after`: it has carried it out, and the answer is lost. */
  when: 'before' | 'after'
  /** What becomes of the connection; `silent`: of all of them. */
  effect: 'cut' | 'silent'
}

export type Silence = 'to_server' | 'to_client' | 'both' | 'none'

export type WireProxy = AsyncDisposable & {
  readonly url: string
  /** Executed on all connections. */
  readonly executed: readonly string[]
  /** How many times bytes arrived from the client. */
  readonly packets: number
  /** Of clients, open now. */
  countConnections(): number
  /** Each packet is so much later. */
  delayMs: number
  /** Nothing follows a reported error, as where a coordinator rolls back without end. */
  isSilentAfterErrors: boolean
  /** As where `lc_messages` is another language, which the packaged server does not have. */
  translatesErrors: boolean
  /** Packets vanish from now on, without a reset. Connections that have lost some never speak again. */
  silence(direction: Silence): void
  /** New connections lead there. Those that are open are silent for good, without a reset. */
  moveTo(databaseUrl: string): void
  /** Resolves once it has struck. */
  arm(fault: Fault): Promise<void>
}

/** Between a process and PostgreSQL's server, without TLS. It knows each message of the protocol. */
export async function startWireProxy(databaseUrl: string): Promise<WireProxy> {
  let target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  const losses = new Set<Record<'to_server' | 'to_client', boolean>>()
  const executed: string[] = []
  let silent: Silence = 'none'
  let armed: (Omit<Fault, 'at'> & { at: RegExp | number; strike: () => void }) | undefined
  const state = { packets: 0, delayMs: 0, isSilentAfterErrors: false, translatesErrors: false }

  function isAwaited(text: string): boolean {
    if (!armed) return false
    if (armed.at instanceof RegExp) return armed.at.test(text)
    armed.at -= 1
    return armed.at === 0
  }

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const pair = [client, upstream] as const
    const lost = { to_server: false, to_client: false }
    losses.add(lost)
    const readStatement = createStatementReader()
    /** Of answers: those of the login, and of each statement. */
    let sent = 0
    let answered = -1
    let lostAnswer: number | undefined
    let commits = false
    /** Whether the fault is to strike at this statement. */
    const note = (text: string): boolean => {
      executed.push(text)
      const isOne = isAwaited(text)
      if (!armed?.isItsCommit) return isOne
      const strikes = commits && text === 'COMMIT'
      commits ||= isOne
      return strikes
    }
    for (const socket of pair) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    clients.add(client)
    client.on('close', () => {
      clients.delete(client)
      losses.delete(lost)
      upstream.destroy()
    })
    upstream.on('close', () => client.destroy())

    const strike = () => {
      if (!armed) return
      if (armed.effect === 'cut') for (const socket of pair) socket.destroy()
      else silent = 'both'
      armed.strike()
      armed = undefined
    }
    const pass = (to: Socket, direction: 'to_server' | 'to_client', bytes: Buffer) => {
      const send = () => {
        lost[direction] ||= silent === 'both' || silent === direction
        if (!lost[direction] && !to.destroyed) to.write(bytes)
      }
      if (state.delayMs > 0) setTimeout(send, state.delayMs)
      else send()
    }
    const toServer = createSplitter(true, (message, isStartup) => {
      const text = isStartup ? undefined : readStatement(message)
      if (text !== undefined) {
        sent += 1
        if (note(text)) {
          if (armed?.when === 'before') return strike()
          lostAnswer = sent
        }
      }
      pass(upstream, 'to_server', message)
    })
    const toClient = createSplitter(false, (message) => {
      if (message[0] === READY) answered += 1
      if (
        lostAnswer !== undefined &&
        (message[0] === READY ? answered : answered + 1) >= lostAnswer
      ) {
        if (message[0] === READY) strike()
        return
      }
      const isTranslated = message[0] === ERROR && state.translatesErrors
      pass(client, 'to_client', isTranslated ? translateError(message) : message)
      if (message[0] === ERROR && state.isSilentAfterErrors) lost.to_client = lost.to_server = true
    })
    client.on('data', (bytes: Buffer) => {
      state.packets += 1
      toServer(bytes)
    })
    upstream.on('data', toClient)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    url: url.href,
    executed,
    countConnections: () => clients.size,
    silence(direction: Silence) {
      silent = direction
    },
    moveTo(nextUrl: string) {
      target = new URL(nextUrl)
      for (const lost of losses) lost.to_server = lost.to_client = true
    },
    arm(fault: Fault) {
      const { promise, resolve } = Promise.withResolvers<void>()
      armed = { ...fault, strike: resolve }
      return promise
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  })
}

const [PARSE, BIND, EXECUTE, QUERY, READY, ERROR] = Buffer.from('PBEQZE') as unknown as [
  ...[number, number, number],
  ...[number, number, number],
]

/** Calls `use` with each whole message. Those of a client begin with one without a type. */
function createSplitter(
  isOfClient: boolean,
  use: (message: Buffer, isStartup: boolean) => void,
): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isStartup = isOfClient
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const lengthAt = isStartup ? 0 : 1
      if (rest.length < lengthAt + 4) return
      const end = lengthAt + rest.readInt32BE(lengthAt)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      use(message, isStartup)
      isStartup = false
    }
  }
}

/** Severity and text are for people, and depend on the language; code and routine do not. */
function translateError(message: Buffer): Buffer {
  const fields = message.toString('utf8', 5).split('\0')
  const translated = fields.map((field) => {
    if (field.startsWith('S')) return 'SFEHLER'
    return field.startsWith('M') ? 'Mdie Anweisung ist fehlgeschlagen' : field
  })
  const body = Buffer.from(translated.join('\0'))
  const head = Buffer.from('E\0\0\0\0', 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** The text of the statement that a client's message executes, if it does. */
function createStatementReader(): (message: Buffer) => string | undefined {
  const texts = new Map<string, string>()
  let bound = ''
  return (message) => {
    const [first = '', second = ''] = message.toString('utf8', 5).split('\0')
    const kind = message[0]
    if (kind === PARSE) texts.set(first, second)
    if (kind === BIND) bound = texts.get(second) ?? ''
    if (kind === QUERY) return first
    return kind === EXECUTE ? bound : undefined
  }
}
