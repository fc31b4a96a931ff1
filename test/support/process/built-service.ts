import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the service as it is built for the run. */
    builtService: string
  }
}

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Once, before the first test of processes: what is built starts in a third of the time. */
export async function setup(project: TestProject): Promise<() => void> {
  // As deep as dist/service, which a benchmark may be running from.
  const folder = join(ROOT, 'dist', `service-test-${process.pid}`)
  await promisify(execFile)(process.execPath, ['scripts/build-service.ts', folder], { cwd: ROOT })
  project.provide('builtService', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

export const builtEntry = (entry: 'server' | 'worker') =>
  join(inject('builtService'), `${entry}.js`)
