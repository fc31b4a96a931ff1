import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { identifyProcess, isAlive } from '../../../src/local/process-identity.ts'
import { waitFor } from '../process/patience.ts'
import { openKeep } from './keep.ts'
import { createService, startProcess } from './service.ts'

const KEEP = new URL('./keep.ts', import.meta.url).href
const SERVICE = new URL('./service.ts', import.meta.url).href

/** A run that has started a process and waits. */
const RUN = `
  import { openKeep } from ${JSON.stringify(KEEP)}
  import { createService, startProcess } from ${JSON.stringify(SERVICE)}
  const keep = openKeep('test')
  const args = ['-e', 'setInterval(() => undefined, 1000)']
  const start = () => startProcess('sleeper', args, keep.folder + '/sleeper.log', {})
  const service = createService('sleeper', start, keep)
  await service.start()
  console.log(JSON.stringify({ folder: keep.folder, pid: service.pid() }))
  setInterval(() => undefined, 1000)`

test('what a run has started ends with it though the run is killed, and its folder is gone', async () => {
  const args = ['--input-type=module', '-e', RUN]
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(run.stdout, 'data')
  const { folder, pid } = JSON.parse(String(printed))
  const sleeper = identifyProcess(pid)
  expect(sleeper && isAlive(sleeper)).toBe(true)
  run.kill('SIGKILL')
  await waitFor(() => {
    expect(sleeper && isAlive(sleeper)).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })
})

test('what is owned ends before the processes do, the newest first, and data is kept where it is asked for', async () => {
  const keep = openKeep('test')
  const args = ['-e', 'setInterval(() => undefined, 1000)']
  const start = () => startProcess('sleeper', args, `${keep.folder}/sleeper.log`, {})
  const service = createService('sleeper', start, keep)
  await service.start()
  const sleeper = identifyProcess(service.pid())
  const ended: string[] = []
  for (const name of ['first', 'second']) {
    keep.defer(() => ended.push(`${name}, ${sleeper && isAlive(sleeper) ? 'while it runs' : ''}`))
  }
  keep.keepData()
  await keep[Symbol.asyncDispose]()
  expect(ended).toEqual(['second, while it runs', 'first, while it runs'])
  expect(sleeper && isAlive(sleeper)).toBe(false)
  expect(readdirSync(keep.folder)).toEqual(['sleeper.log'])
  rmSync(keep.folder, { recursive: true })
})
