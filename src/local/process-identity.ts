import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Identifies one process for good, because the system reuses process numbers. */
export type ProcessIdentity = { pid: number; startedAt: string }

export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? readProcStart(pid) : askPs(pid, 'lstart=')
  return startedAt === undefined ? undefined : { pid, startedAt }
}

/** False where another process has the number now. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt
}

/** Empty where no such process runs or its command line is hidden. */
export function commandLineOf(pid: number): string {
  if (process.platform !== 'linux') return askPs(pid, 'args=') ?? ''
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Clock ticks since boot, with the boot; undefined also for a zombie. */
function readProcStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name, in brackets, may contain spaces and brackets.
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
