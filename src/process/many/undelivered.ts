import type { Worker } from 'node:cluster'

type Connection = { close(): void }
type Message = { act?: string; key?: string }
type Send = (message: Message, connection: Connection, ...rest: unknown[]) => boolean

/** By process and port: Node sends one at a time, and the next when that was taken or refused. */
const sent = new Map<string, Connection>()

/**
 * Closes the connection that was on its way to the process when it died. Node keeps it open for
 * ever, and its client would wait as long.
 */
export function closeUndelivered({ id, process: child }: Worker): void {
  const sender = child as unknown as { send: Send }
  const send = sender.send.bind(child)
  sender.send = (message, connection, ...rest) => {
    if (message.act === 'newconn') {
      // One that another process has refused, because it drains.
      for (const [place, other] of sent) if (other === connection) sent.delete(place)
      sent.set(`${id} ${message.key}`, connection)
    }
    return send(message, connection, ...rest)
  }
  child.once('exit', () => {
    for (const [place, connection] of sent) {
      if (!place.startsWith(`${id} `)) continue
      sent.delete(place)
      connection.close()
    }
  })
}
