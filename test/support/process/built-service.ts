import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { buildService } from '../world/build-service.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the service as it is built for the run. */
    builtService: string
  }
}

/** Once, before the first test of processes. */
export async function setup(project: TestProject): Promise<() => void> {
  const built = await buildService(['test/support/process/impatient-server.ts'])
  project.provide('builtService', built.folder)
  return () => built[Symbol.dispose]()
}

export const builtEntry = (entry: 'server' | 'worker' | 'impatient-server') =>
  join(inject('builtService'), `${entry}.js`)
