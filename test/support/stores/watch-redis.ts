import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** A command that reached Redis: the database it went to, its name and its arguments. */
export type SeenCommand = { database: string; words: string[] }

/**
 * Hands over every command that reaches the server at `url`, whatever its database, as `MONITOR`
 * shows it. Over a socket of its own: a client that parses replies fails when the first commands
 * arrive together with the answer to `MONITOR`.
 */
export async function watchRedis(
  url: string,
  onCommand: (command: SeenCommand) => void,
): Promise<Disposable> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port || 6379), hostname)
  await once(socket, 'connect')
  const lines = createInterface({ input: socket })
  const answered = once(lines, 'line')
  lines.on('line', (line) => {
    const seen = parseCommand(line)
    if (seen) onCommand(seen)
  })
  socket.write('MONITOR\r\n')
  await answered
  return { [Symbol.dispose]: () => socket.destroy() }
}

/** A line such as `+1795386206.57 [2 127.0.0.1:52510] "rpush" "key" "value"`. */
function parseCommand(line: string): SeenCommand | undefined {
  const [, database, rest] = /^\+[\d.]+ \[(\d+) [^\]]*\] "(.*)"$/.exec(line) ?? []
  if (database === undefined || rest === undefined) return
  return { database, words: rest.split('" "').map((word) => word.replaceAll('\\"', '"')) }
}
