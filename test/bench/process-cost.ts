import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second, on every machine there is. */
const TICKS_PER_SECOND = 100

/**
 * CPU seconds that a process has used so far, with its children and those of them that have ended.
 * Reads /proc.
 */
export function readCpuSeconds(pid: number): number {
  const parentOf = new Map<number, number>()
  const ticksOf = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const fields = readFields(name)
    if (!fields) continue
    parentOf.set(Number(name), Number(fields[1]))
    // Of children that have ended, the parent has the ticks.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    ticksOf.set(Number(name), ticks)
  }
  const isOurs = (of: number | undefined): boolean =>
    of !== undefined && (of === pid || isOurs(parentOf.get(of)))
  const ticks = [...ticksOf].filter(([of]) => isOurs(of)).map(([, used]) => used)
  return ticks.reduce((sum, used) => sum + used, 0) / TICKS_PER_SECOND
}

/** The fields of `/proc/<pid>/stat` after the name; undefined where the process has just ended. */
function readFields(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
