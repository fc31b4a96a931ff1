import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const MOST_BYTES = 4_096

export function readTail(file: string, count: number): string[] {
  try {
    const log = openSync(file, 'r')
    try {
      const tail = Buffer.alloc(MOST_BYTES)
      const { size } = fstatSync(log)
      const length = readSync(log, tail, 0, MOST_BYTES, Math.max(0, size - MOST_BYTES))
      const lines = tail.toString('utf8', 0, length).split('\n')
      return lines.filter((line) => line.trim() !== '').slice(-count)
    } finally {
      closeSync(log)
    }
  } catch {
    return []
  }
}
