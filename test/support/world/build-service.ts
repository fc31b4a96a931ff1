import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export type BuiltService = Disposable & { folder: string }

/**
 * Builds API and worker, and these entries beside them, for this process alone: what is built starts in
 * a third of the time.
 */
export async function buildService(entries: readonly string[] = []): Promise<BuiltService> {
  // Where packages are found, and beside dist/service, which a benchmark may be running from.
  const folder = join(ROOT, 'dist', `service-test-${process.pid}`)
  const script = join('scripts', 'build-service.ts')
  await promisify(execFile)(process.execPath, [script, folder, ...entries], { cwd: ROOT })
  return {
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
