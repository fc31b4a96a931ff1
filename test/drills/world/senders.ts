import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Which of these processes is at the other end of a connection on this machine, by Linux's own
 * tables. Undefined where it has closed the connection, or is another one. */
export function findSender(socket: Socket, pids: readonly number[]): number | undefined {
  const inode = findInode(socket.remotePort ?? 0, socket.localPort ?? 0)
  return pids.find((pid) => inode !== undefined && hasOpen(pid, inode))
}

const portOf = (address: string) => Number.parseInt(address.split(':')[1] ?? '', 16)

function findInode(local: number, remote: number): string | undefined {
  const [, ...lines] = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  for (const line of lines) {
    const [, ours = '', theirs = '', , , , , , , inode] = line.trim().split(/\s+/)
    if (portOf(ours) === local && portOf(theirs) === remote) return inode
  }
  return undefined
}

function hasOpen(pid: number, inode: string): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some((name) => readLink(`${folder}/${name}`) === `socket:[${inode}]`)
  } catch {
    // The process has ended.
    return false
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
