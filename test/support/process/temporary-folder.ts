import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder, deleted when disposed. Others may enter it: PostgreSQL may run as another user. */
export function createTemporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'lending-service-test-'))
  chmodSync(path, 0o711)
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true })
    },
  }
}
