import { connect } from 'node:net'

/** If the connection still takes requests it answers this one, by 200, and closes. */
const LAST = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

/**
 * Writes exactly these bytes and one harmless request behind them, and gives the statuses of all
 * answers that come back until the connection is closed. Text is written as latin1.
 */
export function exchange(port: number, bytes: string): Promise<number[]> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(bytes + LAST, 'latin1'))
    socket.on('data', (text: string) => {
      received += text
    })
    // A reset is a way of closing too.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(statusesOf(received)))
  })
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status))
}
