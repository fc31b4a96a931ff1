import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { LocalFailure } from './local-failure.ts'
import { readTail } from './log-tail.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** In a process of its own, beside the start of the stores. */
export function startPagesBuild(logs: string): Promise<Child> {
  return startChild({
    name: 'The build of the pages',
    command: process.execPath,
    args: [join('scripts', 'build-pages.ts')],
    cwd: ROOT,
    logFile: join(logs, 'pages-build.log'),
    stopSignal: 'SIGTERM',
    stopSeconds: 5,
  })
}

/** Returns what it reported. */
export async function awaitPagesBuild(build: Child): Promise<string> {
  const how = await build.ended
  const [report = ''] = readTail(build.logFile, 1)
  if (how === 'exit code 0') return report
  throw new LocalFailure(`${build.name} failed (${how}): see ${build.logFile}.`)
}
