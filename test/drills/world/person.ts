import { spawnSync } from 'node:child_process'
import { loadDatabaseConfig } from '../../../src/config/database-config.ts'
import { createSealer } from '../../../src/core/sealing.ts'
import { createDatabase } from '../../../src/db/database.ts'
import { addBorrower, openTenant } from '../../support/lending/onboarding.ts'
import type { Stack } from './stack.ts'

const NAME = 'Quirinius-4711'

/** A borrower whom a tenant knows by a name; `named` names it to a command. */
export async function addPerson({
  databaseUrl,
  settings,
}: Stack): Promise<{ id: string; named: string[] }> {
  const { encryptionKeys = [] } = loadDatabaseConfig({ ENCRYPTION_KEYS: settings.ENCRYPTION_KEYS })
  const sealer = createSealer(encryptionKeys)
  await using db = createDatabase({ connectionString: databaseUrl, maxConnections: 1, sealer })
  const tenantId = await openTenant(db)
  const borrowerId = await addBorrower(db, tenantId, { externalId: NAME })
  const named = [borrowerId, '--tenant', tenantId, '--reason', `a letter of ${NAME}`]
  return { id: borrowerId, named }
}

/** Lines of a dump in which the name stands. */
export function findPerson(databaseUrl: string): string[] {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'pg_dump --inserts "$0"', databaseUrl],
    {
      ...{ encoding: 'utf8', maxBuffer: 2 ** 30 },
    },
  )
  if (status !== 0) throw new Error(`pg_dump: ${stderr}`)
  return stdout.split('\n').filter((line) => line.includes(NAME))
}
