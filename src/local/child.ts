import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { LocalFailure } from './local-failure.ts'
import { readTail } from './log-tail.ts'
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts'

const READY_SECONDS = 60

const LAST_LINES = 5

export type ChildSpec = {
  name: string
  command: string
  args: readonly string[]
  logFile: string
  stopSignal: NodeJS.Signals
  stopSeconds: number
  env?: NodeJS.ProcessEnv
  cwd?: string
  spawnAs?: { uid?: number; gid?: number }
  /** Written to its standard input: arguments are shown to every user of the machine. */
  input?: string
}

export type Child = {
  name: string
  logFile: string
  identity: ProcessIdentity
  stopSignal: NodeJS.Signals
  /** Resolves to the way it ended: "exit code 1". */
  ended: Promise<string>
  stop(): Promise<void>
}

/** In a process group of its own: Ctrl-C reaches only the launcher, which orders the shutdown. */
export async function startChild(spec: ChildSpec): Promise<Child> {
  if (existsSync(spec.logFile)) renameSync(spec.logFile, `${spec.logFile}.previous`)
  const log = openSync(spec.logFile, 'w', 0o600)
  const { command, args, env, cwd, spawnAs, input } = spec
  const process = spawn(command, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', log, log],
    detached: true,
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    ...spawnAs,
  })
  closeSync(log)
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  process.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  // A child that has ended reads nothing; `ended` reports it.
  process.stdin?.on('error', () => undefined).end(input)
  await untilSpawned(process, spec)
  const pid = process.pid ?? 0
  return {
    name: spec.name,
    logFile: spec.logFile,
    stopSignal: spec.stopSignal,
    identity: identifyProcess(pid) ?? { pid, startedAt: 'ended' },
    ended,
    async stop() {
      process.kill(spec.stopSignal)
      const timer = setTimeout(() => process.kill('SIGKILL'), spec.stopSeconds * 1000)
      await ended
      clearTimeout(timer)
    },
  }
}

/** With the last lines of its log, where it ended by itself. */
export function explainEnd(
  { name, logFile }: Child,
  how: string,
  when: 'by itself' | 'while starting',
): LocalFailure {
  const lines = how.startsWith('exit code') ? readTail(logFile, LAST_LINES) : []
  const ended = `${name} stopped ${when} (${how}): see ${logFile}.`
  return new LocalFailure([ended, ...lines.map((line) => `  ${line}`)].join('\n'))
}

async function untilSpawned(process: ChildProcess, spec: ChildSpec): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process.on('spawn', resolve)
  process.on('error', (error) =>
    reject(new LocalFailure(`${spec.name} cannot be run: ${error.message}.`, { cause: error })),
  )
  await promise
}

/** Throws when the child ends, after a minute, and with the signal's reason when it is aborted. */
export async function untilReady(
  child: Child,
  check: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + READY_SECONDS * 1000
  let end: string | undefined
  // It never rejects.
  void child.ended.then((how) => {
    end = how
  })
  while (!(await check())) {
    if (end !== undefined) {
      throw explainEnd(child, end, 'while starting')
    }
    if (Date.now() > deadline) {
      throw new LocalFailure(
        `${child.name} was not ready after ${READY_SECONDS} s: see ${child.logFile}.`,
      )
    }
    signal?.throwIfAborted()
    await pause(25)
  }
}

export async function stopLeftover(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
): Promise<void> {
  for (const next of [signal, 'SIGKILL'] as const) {
    const deadline = Date.now() + 10_000
    if (isAlive(identity)) process.kill(identity.pid, next)
    while (isAlive(identity) && Date.now() < deadline) await pause(50)
  }
}
