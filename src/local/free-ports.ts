import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { LocalFailure, messageOf } from './local-failure.ts'

export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** The one that is wanted, or another one if something listens there. */
export async function findFreePort(wanted: number): Promise<number> {
  const server = createServer()
  try {
    await once(server.listen(wanted, '127.0.0.1'), 'listening')
    return wanted
  } catch {
    const [other = 0] = await findFreePorts(1)
    return other
  } finally {
    server.close()
  }
}

/** Throws `LocalFailure`, with what to do, where nothing can listen there. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    throw new LocalFailure(describeListenFault(error, { host, port }), { cause: error })
  } finally {
    server.close()
  }
}

function describeListenFault(error: unknown, { host, port }: { host: string; port: number }) {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} is in use: stop what listens there, or set PORT to another one.`
    case 'EACCES':
      return `Port ${port} is not allowed to this user: set PORT to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is not an address of this machine: set it to 127.0.0.1, or to 0.0.0.0 for all.`
    default:
      return `Nothing can listen at HOST ${host} and PORT ${port}: ${messageOf(error)}.`
  }
}
