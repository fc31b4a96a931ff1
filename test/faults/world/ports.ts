import { randomInt } from 'node:crypto'
import { isPortFree } from '../../../src/local/free-ports.ts'

/** Below what systems give to those who ask for any port: nothing takes one while we do not listen. */
const FROM = 20_000
const TO = 32_000

/** Different free loopback ports that stay free while the process that listens there is killed. */
export async function findLastingPorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(FROM, TO)
    if (await isPortFree(port, '127.0.0.1')) found.add(port)
  }
  return [...found]
}
