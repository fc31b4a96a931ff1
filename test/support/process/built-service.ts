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

/** Entries of tests, built beside API and worker. */
const BESIDE = {
  'impatient-server': 'test/support/process/impatient-server.ts',
  'worker-child': 'test/faults/world/worker-child.ts',
  'claim-child': 'test/faults/world/claim-child.ts',
}

/** Once, before the first test of processes. */
export async function setup(project: TestProject): Promise<() => void> {
  const built = await buildService(Object.values(BESIDE))
  project.provide('builtService', built.folder)
  return () => built[Symbol.dispose]()
}

export const builtEntry = (entry: 'server' | 'worker' | keyof typeof BESIDE) =>
  join(inject('builtService'), `${entry}.js`)
