import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createMetricsSum, type Snapshot } from '../../../src/process/many/metrics-sum.ts'

/** What a process has, as it arrives from it. */
function createProcess() {
  const registers = [new Registry()] as const
  const metrics = {
    count: new Counter({
      name: 'count',
      help: 'h',
      labelNames: ['code'],
      registers: [...registers],
    }),
    level: new Gauge({ name: 'level', help: 'h', labelNames: ['kind'], registers: [...registers] }),
    // As prom-client's own, which a sum would leave out.
    since: new Gauge({ name: 'since', help: 'h', aggregator: 'omit', registers: [...registers] }),
    times: new Histogram({ name: 'times', help: 'h', buckets: [1, 2], registers: [...registers] }),
  }
  const take = async () =>
    structuredClone(await registers[0].getMetricsAsJSON()) as unknown as Snapshot
  return { ...metrics, take }
}

const series = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'))

test('counters and histograms of all processes are summed, each gauge names its process', async () => {
  const sum = createMetricsSum()
  const [first, second] = [createProcess(), createProcess()]
  first.count.inc({ code: 'a' }, 2)
  second.count.inc({ code: 'a' }, 3)
  second.count.inc({ code: 'b' }, 5)
  first.level.set({ kind: 'x' }, 7)
  second.level.set({ kind: 'x' }, 11)
  first.since.set(13)
  second.since.set(Number.NaN)
  first.times.observe(0.5)
  second.times.observe(1.5)
  sum.note(1, await first.take())
  sum.note(2, await second.take())
  expect(series(await sum.format(0))).toEqual([
    'count{code="a"} 5',
    'count{code="b"} 5',
    'level{kind="x",process="1"} 7',
    'level{kind="x",process="2"} 11',
    'since{process="1"} 13',
    'since{process="2"} Nan',
    'times_bucket{le="1"} 1',
    'times_bucket{le="2"} 2',
    'times_bucket{le="+Inf"} 2',
    'times_sum 2',
    'times_count 2',
    'svc_processes_missing 0',
  ])
})

test('the end of a process makes no counter fall, and its gauges go', async () => {
  const sum = createMetricsSum()
  const [first, second] = [createProcess(), createProcess()]
  first.count.inc({ code: 'a' }, 100)
  first.times.observe(1)
  first.level.set({ kind: 'x' }, 1)
  second.count.inc({ code: 'a' }, 10)
  sum.note(1, await first.take())
  sum.note(2, await second.take())
  sum.noteEnd(1)
  const between = series(await sum.format(1))
  expect(between).toContain('count{code="a"} 110')
  expect(between).toContain('times_count 1')
  expect(between.join()).not.toContain('process="1"')
  expect(between).toContain('svc_processes_missing 1')

  const third = createProcess()
  third.count.inc({ code: 'a' }, 1)
  third.level.set({ kind: 'x' }, 3)
  sum.note(1, await third.take())
  const after = series(await sum.format(0))
  expect(after).toContain('count{code="a"} 111')
  expect(after).toContain('level{kind="x",process="1"} 3')
  sum.noteEnd(1)
  sum.noteEnd(1)
  expect(series(await sum.format(0))).toContain('count{code="a"} 111')
})

test('a process that does not answer counts as it last did, and one is counted once', async () => {
  const sum = createMetricsSum()
  const process = createProcess()
  process.count.inc({ code: 'a' }, 4)
  sum.note(1, await process.take())
  sum.note(1, await process.take())
  expect(series(await sum.format(1))).toContain('count{code="a"} 4')
})
