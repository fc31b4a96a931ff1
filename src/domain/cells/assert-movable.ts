import { Refusal } from '../../core/errors.ts'
import { createSealer, DecryptionError, type SealingKey } from '../../core/sealing.ts'
import type { Db } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { readStack, type StackIdentity } from '../../db/stack-identity.ts'
import type { Cell } from '../../db/tenant-move/cell.ts'
import { describeTables, listTenantTables } from '../../db/tenant-move/tables.ts'
import { openStoredSecret } from '../idempotency/idempotency.ts'
import { listProcesses } from '../operations/processes.ts'
import { openSecret } from '../webhooks/signing-secret.ts'
import { selectMigrations, selectPolicies, selectSealed } from './move-queries.ts'

export type CellPair = { source: Cell; target: Cell }

export type Identities = { source: StackIdentity; target: StackIdentity }

/** Refuses `validation_failed` where the target could not serve a tenant of the source. `to`: the cell
 * that the operator means. */
export async function assertCells({ source, target }: CellPair, to: string): Promise<Identities> {
  const [ours, theirs] = [await readIdentity(source.db), await readIdentity(target.db)]
  if (ours.instanceId === theirs.instanceId) {
    throw refused('TARGET_DATABASE_URL is the database that the tenant is in, or a copy of it.')
  }
  if (ours.name !== theirs.name) {
    throw refused(`The source is a ${ours.name} stack and the target a ${theirs.name} stack.`)
  }
  if (theirs.cell !== to) {
    throw refused(`TARGET_DATABASE_URL is the cell ${theirs.cell ?? 'without a name'}, not ${to}.`)
  }
  if ((await isDistributed(source.db)) || (await isDistributed(target.db))) {
    throw refused('A distributed database is no cell: tenants move between its nodes instead.')
  }
  await assertSameSchema({ source, target })
  await assertSamePolicies(source.db, target.db)
  return { source: ours, target: theirs }
}

async function readIdentity(db: Db): Promise<StackIdentity> {
  const found = await readStack(db)
  if (found) return found
  throw refused('One of the databases has not been migrated.')
}

async function assertSameSchema({ source, target }: CellPair): Promise<void> {
  const isSame =
    (await selectMigrations(source.db)) === (await selectMigrations(target.db)) &&
    describeTables(await listTenantTables(source.client)) ===
      describeTables(await listTenantTables(target.client))
  if (!isSame) throw refused('The two databases have other migrations: migrate both first.')
}

async function assertSamePolicies(source: Db, target: Db): Promise<void> {
  const [ours, theirs] = [await selectPolicies(source), await selectPolicies(target)]
  if (ours.margin !== theirs.margin) {
    throw refused('The target has other margin policy versions: set the same ones in both cells.')
  }
  if (ours.residency !== theirs.residency) {
    throw refused('The target has another residency policy: set the same rules in both cells.')
  }
}

/** Refuses `validation_failed` where processes that run in the cells lend by different settings, or
 * with different providers. */
export async function assertSameSettings({ source, target }: CellPair, now: Date): Promise<void> {
  const processes = [
    ...(await listProcesses(source.db, now)),
    ...(await listProcesses(target.db, now)),
  ]
  const running = processes.flatMap(({ isSilent, report }) =>
    isSilent || !report.settings ? [] : [report.settings],
  )
  const names = new Set(running.flatMap((settings) => Object.keys(settings)))
  const different = [...names].filter(
    (name) => new Set(running.map((settings) => settings[name])).size > 1,
  )
  if (different.length === 0) return
  throw refused(
    `The processes of the two cells have different values of ${different.join(', ')}: set the same ones in both cells, and restart their processes.`,
  )
}

/** Refuses `validation_failed` where a stored secret would be shut in the target. */
export async function assertReadable(
  db: Db,
  tenantId: string,
  keys: readonly SealingKey[],
): Promise<void> {
  const sealer = createSealer(keys)
  for (const { sealed, key } of await selectSealed(db, tenantId)) {
    try {
      if (key === null) openSecret(sealed, tenantId, sealer)
      else openStoredSecret(sealed, { tenantId, key }, sealer)
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error
      throw refused(
        `TARGET_ENCRYPTION_KEYS does not open what the tenant stores: ${error.message}. Give the target this key first.`,
      )
    }
  }
}

export function refused(message: string): Refusal {
  return new Refusal('validation_failed', message)
}
