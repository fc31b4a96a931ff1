import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** One process for good: its number alone is given to another process sooner or later. */
export type ProcessIdentity = { pid: number; startedAt: string }

/** The identity of a live process, or undefined when there is none of that number. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? readProcStart(pid) : askPs(pid, 'lstart=')
  return startedAt === undefined ? undefined : { pid, startedAt }
}

/** Whether this very process still runs; another one of the same number is none. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt
}

/** The command line of a live process; empty when there is none or it cannot be told. */
export function commandLineOf(pid: number): string {
  if (process.platform !== 'linux') return askPs(pid, 'args=') ?? ''
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Clock ticks since boot, made unique across reboots; undefined also for a zombie. */
function readProcStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name, in brackets, may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return fields[0] === 'Z' ? undefined : `${boot}:${fields[19]}`
  } catch {
    return undefined
  }
}

function askPs(pid: number, column: string): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' })
  return stdout?.trim() || undefined
}
