import { writeSync } from 'node:fs'

/** How long a line waits for others, so that one write takes them all. */
const FLUSH_MS = 10
const WRITE_BYTES = 8 * 1024

/** So many characters wait for a reader. Lines that come beyond it are dropped. */
const MOST_WAITING = 1024 * 1024

export type LogOutput = {
  write(line: string): void
  /** Called with how many lines were dropped, once lines are written again. */
  onGoesOn: (dropped: number) => void
}

/** The outputs with lines that wait. One listener of the process's exit serves them all. */
const unwritten = new Set<() => void>()

function flushUnwritten(): void {
  for (const flush of unwritten) flush()
}

/**
 * To the standard output. Nothing waits for it: while it takes no lines they are kept, up to a bound, then
 * dropped and counted. What is kept is written at the exit too, as far as it is taken.
 */
export function openLogOutput(onDropped: (lines: number) => void = () => {}): LogOutput {
  let waiting: string[] = []
  let waitingLength = 0
  let sending = Buffer.alloc(0)
  let linesSending = 0
  let timer: NodeJS.Timeout | undefined
  let dropped = 0
  let isBroken = false
  // Node sets a pipe or a socket so that a write never waits for the reader.
  void process.stdout

  function drop(lines: number): void {
    dropped += lines
    onDropped(lines)
  }

  /** All that waits, or as much as is taken now. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    try {
      while (sending.length > 0 || waiting.length > 0) {
        if (sending.length === 0) takeWaiting()
        sending = sending.subarray(writeSync(1, sending))
      }
    } catch (error) {
      if (!isFull(error)) giveUp()
      timer = setTimeout(flush, FLUSH_MS).unref()
      return
    }
    unwritten.delete(flush)
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    output.onGoesOn(lines)
  }

  function takeWaiting(): void {
    // A line that was cut off before ends here.
    sending = Buffer.from((isBroken ? '\n' : '') + waiting.join(''))
    linesSending = waiting.length
    isBroken = false
    waiting = []
    waitingLength = 0
  }

  function giveUp(): void {
    drop(linesSending)
    sending = Buffer.alloc(0)
    isBroken = true
  }

  const output: LogOutput = {
    onGoesOn: () => {},
    write(line) {
      if (waitingLength + line.length > MOST_WAITING) {
        drop(1)
        return
      }
      waiting.push(line)
      waitingLength += line.length
      unwritten.add(flush)
      if (timer === undefined) timer = setTimeout(flush, FLUSH_MS).unref()
      else if (waitingLength >= WRITE_BYTES && sending.length === 0) flush()
    },
  }
  if (!process.listeners('exit').includes(flushUnwritten)) process.on('exit', flushUnwritten)
  return output
}

const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'
