import type { Service } from './companions/processes.ts'

export type Memory = { residentMiB: number; heapMiB: number }

/** What a process of ours holds: all that it has of the machine, and its heap. */
export async function readMemory({ metricsPort }: Service): Promise<Memory> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const readMiB = (metric: string) => {
    const bytes = new RegExp(`^${metric} (\\d+)`, 'm').exec(text)?.[1]
    if (bytes === undefined) throw new Error(`no metric ${metric}`)
    return Number(bytes) / 1_048_576
  }
  return {
    residentMiB: readMiB('process_resident_memory_bytes'),
    heapMiB: readMiB('nodejs_heap_size_used_bytes'),
  }
}
