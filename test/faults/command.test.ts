import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild } from '../../src/local/child.ts'
import { isAlive, type ProcessIdentity } from '../../src/local/process-identity.ts'
import { waitFor } from '../support/process/patience.ts'
import { createCommand } from './world/command.ts'

/** A parent of one process, which it starts again, and which outlives it. */
const PARENT = `
  const { spawn } = require('node:child_process')
  const log = (line) => console.log(JSON.stringify({ ...line, process: 1 }))
  const start = () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
    log({ pid: child.pid, msg: 'process started' })
    child.on('exit', () => {
      log({ pid: child.pid, msg: 'process ended; another one starts' })
      start()
    })
  }
  start()`

let folder: string
let noted: ProcessIdentity[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lending-service-command-'))
  noted = []
})
afterEach(() => {
  for (const process of noted.filter(isAlive)) globalThis.process.kill(process.pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function startCommand() {
  const run = (count: number) =>
    startChild({
      ...{ name: 'api-1', command: process.execPath, args: ['-e', PARENT], stopSeconds: 1 },
      ...{ logFile: join(folder, `api-1.${count}.log`), stopSignal: 'SIGTERM' },
    })
  const events = {
    onStarted: (process: ProcessIdentity) => void noted.push(process),
    onDied: () => undefined,
  }
  const command = createCommand('api-1', 2, run, events)
  await command.start()
  const [one] = command.processes
  if (!one) throw new Error('the command has no processes')
  await one.start()
  return { command, one }
}

function readLastStarted(): number {
  const lines = readFileSync(join(folder, 'api-1.1.log'), 'utf8').trim().split('\n')
  const started = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.endsWith('started'))
  return started.at(-1).pid
}

test('a process that ends by itself is found, one that the run kills is not', async () => {
  const { command, one } = await startCommand()
  await one.kill()
  await one.start()
  expect(command.findDeaths()).toEqual([])
  process.kill(readLastStarted(), 'SIGKILL')
  await waitFor(() => expect(command.findDeaths()).toHaveLength(1))
  expect(command.findDeaths()[0]).toMatch(/^a process of api-1 ended by itself/)
  // What is killed with its parent is noted, so it is ended below.
  await one.start()
  await command.kill()
})

test('a process that outlives its killed parent is waited for', async () => {
  const { command } = await startCommand()
  await command.kill()
  const orphan = noted.at(-1)
  let ended: number | undefined
  const waiting = command.untilOrphansEnded().then((count) => {
    ended = count
  })
  await waitFor(() => expect(orphan && isAlive(orphan)).toBe(true))
  expect(ended).toBeUndefined()
  if (orphan) process.kill(orphan.pid, 'SIGKILL')
  await waiting
  expect(ended).toBe(1)
})
