import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePorts, isPortFree } from '../../src/local/free-ports.ts'

test('ports requested together are all different and free', async () => {
  const ports = await findFreePorts(5)
  expect(new Set(ports).size).toBe(5)
  for (const port of ports) expect(await isPortFree(port, '127.0.0.1')).toBe(true)
})

test('a port that a process listens on is not free', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  expect(await isPortFree((server.address() as AddressInfo).port, '127.0.0.1')).toBe(false)
  server.close()
})
