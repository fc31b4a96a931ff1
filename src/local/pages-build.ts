import { setPriority } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { readTail } from './log-tail.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Below the priority of the stack, which is ready before. */
const PRIORITY = 10

/** In a process of its own, beside the stack. */
export async function startPagesBuild(logs: string): Promise<Child> {
  const build = await startChild({
    name: 'The build of the pages',
    command: process.execPath,
    args: [join('scripts', 'build-pages.ts')],
    cwd: ROOT,
    logFile: join(logs, 'pages-build.log'),
    stopSignal: 'SIGTERM',
    stopSeconds: 5,
  })
  try {
    setPriority(build.identity.pid, PRIORITY)
  } catch {
    // It has ended already.
  }
  return build
}

/** Resolves at its end to what it reported, or to how it failed. */
export async function describePagesBuild(build: Child): Promise<string> {
  const how = await build.ended
  const [report = ''] = readTail(build.logFile, 1)
  return how === 'exit code 0' ? report : `the build failed (${how}): see ${build.logFile}`
}
