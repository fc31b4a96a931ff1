import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '../../../src/local/child.ts'
import type { Keep } from '../../support/world/keep.ts'
import { findLastingPort } from '../../support/world/service.ts'
import type { Stack } from './stack.ts'

const DEPLOYED = join(import.meta.dirname, '..', '..', '..', 'deploy', 'prometheus')

/** Within this an alarm that wakes a person must have fired. */
export const MOST_MS = 180_000

/** Shorter than any alarm waits, so that nobody is woken for it. */
export const UNNOTICED_MS = 60_000

/** What an operator was shown since the fault began. */
export type Seen = {
  /** Of `/readyz`, other than 200. */
  readiness: string[]
  /** Names of alarms, with the seconds after which each fired. */
  alarms: string[]
  /** The first that wakes a person. */
  page: string | undefined
  /** Warnings and errors by their text, with how often each was written. */
  log: string[]
}

export type Watch = {
  /** The fault begins now. */
  begin(): void
  /** Resolves once an alarm has fired that wakes a person; with a problem if there is none in time. */
  untilPaged(): Promise<string[]>
  /** Resolves once an alarm of this name has fired; with a problem if it has not in time. */
  untilAlarm(name: string): Promise<string[]>
  end(): Promise<Seen>
}

type Alarm = { name: string; wakes: boolean; ms: number }

/** Asks every process for `/readyz` each second, and has Prometheus watch all with the alarms that are
 * deployed. */
export async function startWatch(keep: Keep, stack: Stack): Promise<Watch> {
  const { folder } = keep
  const prometheus = await startPrometheus(keep, stack)
  const stop = new AbortController()
  keep.defer(() => stop.abort())
  const alarms = new Map<string, Alarm>()
  const before = new Set<string>()
  const readiness = new Map<string, { names: Set<string>; from: number; to: number }>()
  let beganAt = Number.POSITIVE_INFINITY
  let beganTime = Number.POSITIVE_INFINITY
  const since = () => performance.now() - beganAt

  const noteReadiness = async ({ inner, child }: Stack['apis'][number]) => {
    const text = await readReadiness(inner)
    if (text === undefined || since() < 0) return
    const { names = new Set<string>(), from = since() } = readiness.get(text) ?? {}
    readiness.set(text, { names: names.add(child.name), from, to: since() })
  }
  const noteAlarms = async () => {
    for (const { name, wakes } of await readFiring(prometheus)) {
      if (since() < 0) before.add(name)
      else if (!before.has(name) && !alarms.has(name))
        alarms.set(name, { name, wakes, ms: since() })
    }
  }
  const watching = (async () => {
    while (!stop.signal.aborted) {
      nameTargets(folder, stack)
      await Promise.all([...[...stack.apis, ...stack.workers].map(noteReadiness), noteAlarms()])
      await pause(1_000, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  })()
  const until = async (what: string, isIt: (alarm: Alarm) => boolean) => {
    while (![...alarms.values()].some(isIt)) {
      if (since() > MOST_MS) return [`${what} fired within ${MOST_MS / 1_000} s`]
      await pause(200)
    }
    return []
  }
  return {
    begin() {
      beganAt = performance.now()
      beganTime = Date.now()
    },
    untilPaged: () => until('no alarm that wakes a person has', ({ wakes }) => wakes),
    untilAlarm: (name) => until(`no alarm ${name} has`, (alarm) => alarm.name === name),
    async end() {
      stop.abort()
      await watching
      const paged = [...alarms.values()].find(({ wakes }) => wakes)
      return {
        readiness: [...readiness].map(
          ([text, { names, from, to }]) =>
            `${text}: ${[...names].join(', ')}, ${seconds(from)} to ${seconds(to)}`,
        ),
        alarms: [...alarms.values()].map(show),
        page: paged && show(paged),
        log: countWarnings(folder, beganTime),
      }
    },
  }
}

const show = ({ name, ms }: Alarm) => `${name} after ${seconds(ms)}`

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`

const targetsFile = (folder: string) => join(folder, 'targets.json')

/** Rules and intervals of the deployed configuration; its names are those of containers. */
async function startPrometheus(keep: Keep, stack: Stack): Promise<string> {
  const { folder } = keep
  const file = join(folder, 'prometheus.yml')
  const [head = ''] = readFileSync(join(DEPLOYED, 'prometheus.yml'), 'utf8').split('\nalerting:')
  nameTargets(folder, stack)
  const scrapes = [
    { job_name: 'lending', file_sd_configs: [{ files: [targetsFile(folder)] }] },
    { job_name: 'haproxy', static_configs: [{ targets: [stack.proxyMetrics] }] },
  ]
  const rules = head.replace('[alerts.yml]', JSON.stringify([join(DEPLOYED, 'alerts.yml')]))
  writeFileSync(file, `${rules}\nscrape_configs: ${JSON.stringify(scrapes)}\n`)
  const address = `127.0.0.1:${await findLastingPort()}`
  const child = await startChild({
    name: 'prometheus',
    command: 'prometheus',
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=${address}`,
    ],
    logFile: join(folder, 'prometheus.log'),
    stopSignal: 'SIGTERM',
    stopSeconds: 5,
  })
  keep.onStarted(child.identity)
  return `http://${address}`
}

/** Where Prometheus finds the processes that there are now. */
function nameTargets(folder: string, { apis, workers }: Stack): void {
  const targets = [...apis, ...workers].map(({ inner, child }) => ({
    targets: [new URL(inner).host],
    labels: { service: 'lending', instance: child.name },
  }))
  const text = JSON.stringify(targets)
  const file = targetsFile(folder)
  if (readText(file) !== text) writeFileSync(file, text)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Undefined where it is ready. */
async function readReadiness(inner: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${inner}/readyz`, { signal: AbortSignal.timeout(3_000) })
    const body = (await answer.json()) as Record<string, string>
    if (answer.ok) return undefined
    const { database, migrations, partitions, timeouts } = body
    const others = `migrations ${migrations}, partitions ${partitions}, timeouts ${timeouts}`
    const said = database === 'ok' ? others : database
    return `${answer.status} ${said}`
  } catch {
    return 'no answer'
  }
}

/** None where a busy Prometheus does not answer. */
async function readFiring(prometheus: string): Promise<{ name: string; wakes: boolean }[]> {
  try {
    const signal = AbortSignal.timeout(3_000)
    const answer = await fetch(`${prometheus}/api/v1/alerts`, { signal })
    const { data } = (await answer.json()) as {
      data: { alerts: { state: string; labels: { alertname: string; severity?: string } }[] }
    }
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => ({ name: labels.alertname, wakes: labels.severity === 'page' }))
  } catch {
    return []
  }
}

/** pino's number for a warning. */
const WARNING = 40

const MOST_KINDS = 8

function countWarnings(folder: string, since: number): string[] {
  const counts = new Map<string, number>()
  const files = readdirSync(folder).filter((name) => /^(server|worker)-\d+\.log$/.test(name))
  for (const line of files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n'),
  )) {
    const { level, time, msg } = parse(line)
    if (level >= WARNING && time >= since) counts.set(msg, (counts.get(msg) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted.slice(0, MOST_KINDS).map(([text, times]) => `${times} × ${text}`)
}

function parse(line: string): { level: number; time: number; msg: string } {
  try {
    return JSON.parse(line)
  } catch {
    return { level: 0, time: 0, msg: '' }
  }
}
