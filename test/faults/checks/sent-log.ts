import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** A mutation as it was sent. */
export type Sent = {
  kind: 'sent'
  tenantId: string
  key: string
  method: string
  target: string
  body: string | undefined
}

/** An answer that arrived in full, word for word. */
export type Answered = {
  kind: 'answered'
  tenantId: string
  key: string
  /** The body of the request that this answers. */
  asked: string | undefined
  status: number
  body: string
}

/**
 * What the run has sent and what it was answered, on disk before it goes on: the one witness to
 * hold the service to.
 */
export type SentLog = Disposable & {
  write(entry: Sent | Answered): void
  read(): (Sent | Answered)[]
}

export function openSentLog(file: string): SentLog {
  const descriptor = openSync(file, 'a')
  return {
    write(entry) {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`)
      fdatasyncSync(descriptor)
    },
    read() {
      const lines = readFileSync(file, 'utf8').split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}
