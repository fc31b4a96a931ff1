import { Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'

const BREAKER_GAUGE = { closed: 0, half_open: 1, open: 2 }

/** Counts calls to providers and shows the state of each breaker. */
export function watchCalls({ providerCalls, providerSeconds, providerBreaker }: Metrics) {
  return {
    onCall(provider: string, operation: string, outcome: string, seconds: number): void {
      providerCalls.inc({ provider, operation, outcome })
      providerSeconds.observe({ provider, operation }, seconds)
    },
    onBreaker(provider: string, state: keyof typeof BREAKER_GAUGE): void {
      providerBreaker.set({ provider }, BREAKER_GAUGE[state])
    },
  }
}

/** At each scrape. */
export function observePool(
  { registry }: Metrics,
  read: () => { total: number; idle: number; waiting: number },
): void {
  new Gauge({
    name: 'svc_database_pool_connections',
    help: 'Database connections of this process',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { total, idle } = read()
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'used' }, total - idle)
    },
  })
  new Gauge({
    name: 'svc_database_pool_waiters',
    help: 'Operations that wait for a database connection of this process',
    registers: [registry],
    collect() {
      this.set(read().waiting)
    },
  })
}
