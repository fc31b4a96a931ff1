import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export const BUILT = join(ROOT, 'dist', 'console')
export const BUILT_DESK = join(ROOT, 'dist', 'desk')

/** The pages as they are now, in `BUILT` and `BUILT_DESK`; returns what the build reported. */
export async function buildConsole(): Promise<string> {
  const script = join('scripts', 'build-pages.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: ROOT })
  return stdout.trim()
}

/** Once, before the first test of a browser: pages that are in use are not built again. */
export async function setup(): Promise<void> {
  await buildConsole()
}
