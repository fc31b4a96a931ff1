import { newId } from '../../core/ids.ts'
import type { Tx } from '../../db/database.ts'
import { invite } from './invitations.ts'
import { insertPerson, selectPersonByEmail } from './people-queries.ts'

const LOCAL = { email: 'developer@localhost', name: 'Local developer', role: 'admin' } as const

/** For a local stack: a link that signs its one developer in. Returns the token. */
export async function inviteLocally(tx: Tx, tenantId: string, now: Date): Promise<string> {
  const found = await selectPersonByEmail(tx, tenantId, LOCAL.email)
  const personId = found?.person_id ?? newId('per')
  if (!found) await insertPerson(tx, { ...LOCAL, tenantId, personId, createdAt: now })
  return await invite(tx, { tenantId, personId, now }, 'link')
}
