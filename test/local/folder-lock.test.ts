import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from '../../src/local/folder-lock.ts'
import { writePrivateJson } from '../../src/local/private-file.ts'
import { identifyProcess } from '../../src/local/process-identity.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

test('a folder is locked once, and again after it was released', async () => {
  using folder = createTemporaryFolder()
  const lock = await lockFolder(folder.path)
  await expect(lockFolder(folder.path)).rejects.toThrow(
    `Another npm start (process ${process.pid}) runs from ${folder.path}`,
  )
  lock.release()
  const again = await lockFolder(folder.path)
  again.release()
})

test('of many processes that lock a folder at once exactly one succeeds', async () => {
  using folder = createTemporaryFolder()
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () => lockFolder(folder.path)),
  )
  expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
})

test('what a killed launcher left running is stopped, and nothing else', async () => {
  using folder = createTemporaryFolder()
  const leftover = spawn('sleep', ['60'])
  const stranger = spawn('sleep', ['60'])
  await Promise.all([once(leftover, 'spawn'), once(stranger, 'spawn')])
  const ended = once(leftover, 'exit')
  writePrivateJson(join(folder.path, 'launcher.json'), {
    // Our own number, but another process's start: the number was given out again.
    launcher: { pid: process.pid, startedAt: 'long ago' },
    children: [
      { ...identifyProcess(leftover.pid ?? 0), signal: 'SIGTERM' },
      { pid: stranger.pid, startedAt: 'long ago', signal: 'SIGTERM' },
    ],
  })

  const lock = await lockFolder(folder.path)
  expect(await ended).toEqual([null, 'SIGTERM'])
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  lock.release()
  stranger.kill()
})
