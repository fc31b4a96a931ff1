const SIGNALS = ['SIGTERM', 'SIGINT'] as const

const end = () => process.exit(0)

/** Until the process has something to drain. Without a listener the kernel ignores these signals for
 * process 1, which a container without an init runs. */
export function endAtSignals(): void {
  for (const signal of SIGNALS) process.on(signal, end)
}

export function drainAtSignals(drain: (signal: string) => void): void {
  for (const signal of SIGNALS) process.on(signal, drain).off(signal, end)
}
