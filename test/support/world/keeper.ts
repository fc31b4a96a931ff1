// Ends what a run has started, and deletes its data, however the run itself ends: the channel
// to its parent closes even when that is killed. Learns of each process by a message.
// Usage: keeper.ts <folder>
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive, type ProcessIdentity } from '../../../src/local/process-identity.ts'

export type KeeperMessage = { started: ProcessIdentity } | { mounted: string } | { keepData: true }

const [, , folder = ''] = process.argv
const started: ProcessIdentity[] = []
const mounted: string[] = []
let keepsData = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('message', (message: KeeperMessage) => {
  if ('started' in message) started.push(message.started)
  else if ('mounted' in message) mounted.push(message.mounted)
  else keepsData = true
})
await once(process, 'disconnect')
while (started.some(isAlive)) {
  for (const { pid } of started.filter(isAlive)) tryToKill(pid)
  await pause(50)
}
for (const path of mounted) spawnSync('umount', ['--lazy', path])
if (!keepsData) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
