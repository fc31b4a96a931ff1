import { AggregatorRegistry } from 'prom-client'
import { PROCESSES_MISSING } from '../../telemetry/metrics.ts'

/** What one process has counted, as its registry gives it. */
export type Snapshot = readonly Metric[]

type Metric = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram' | 'summary'
  aggregator: string
  values: readonly { value: number; labels: Record<string, string | number> }[]
}

export type MetricsSum = {
  note(process: number, snapshot: Snapshot): void
  /** What an ended process had counted stays in the sum, because a sum never falls. */
  noteEnd(process: number): void
  /** A process that did not answer counts as it last did. */
  format(missing: number): Promise<string>
}

/** Counters and histograms are summed. A gauge is that of one process, which its label names. */
export function createMetricsSum(): MetricsSum {
  const latest = new Map<number, Snapshot>()
  let ended: Snapshot = []
  return {
    note: (process, snapshot) => void latest.set(process, snapshot),
    noteEnd(process) {
      const counted = (latest.get(process) ?? []).filter(({ type }) => type !== 'gauge')
      latest.delete(process)
      ended = sum([ended, counted]).getMetricsAsArray() as unknown as Snapshot
    },
    async format(missing) {
      const running = [...latest].map(([process, snapshot]) => nameGauges(snapshot, process))
      return await sum([...running, ended, [toMissingGauge(missing)]]).metrics()
    },
  }
}

const sum = (snapshots: Snapshot[]) => AggregatorRegistry.aggregate(snapshots)

function nameGauges(snapshot: Snapshot, process: number): Snapshot {
  return snapshot.map((metric) => {
    if (metric.type !== 'gauge') return metric
    const values = metric.values.map(({ value, labels }) => ({
      value,
      labels: { ...labels, process: String(process) },
    }))
    // Each series has one value, so nothing is added up.
    return { ...metric, aggregator: 'sum', values }
  })
}

const toMissingGauge = (value: number): Metric => ({
  ...PROCESSES_MISSING,
  ...{ type: 'gauge', aggregator: 'sum', values: [{ value, labels: {} }] },
})
