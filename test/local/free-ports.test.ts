import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePorts, requireFreePort } from '../../src/local/free-ports.ts'

test('ports requested together are all different and free', async () => {
  const ports = await findFreePorts(5)
  expect(new Set(ports).size).toBe(5)
  for (const port of ports) await requireFreePort(port, '127.0.0.1')
})

test('a port that a process listens on is not free', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(requireFreePort(port, '127.0.0.1')).rejects.toThrow(
    `Port ${port} is in use: stop what listens there, or set PORT to another one.`,
  )
  server.close()
})

test.each(['192.0.2.1', 'no-such-host.invalid'])(
  'a HOST where nothing of this machine is, %s, is not reported as a port in use',
  async (host) => {
    await expect(requireFreePort(8080, host)).rejects.toThrow(
      `HOST ${host} is not an address of this machine: set it to 127.0.0.1, or to 0.0.0.0 for all.`,
    )
  },
)
