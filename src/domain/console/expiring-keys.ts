import type { Clock } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { peopleOf } from '../../db/sql/people-tables.ts'
import { type ExpiringKey, selectExpiring, updateExpiryWarned } from '../auth/queries.ts'
import { appendEvents } from '../events/append/append.ts'
import { KEY_EXPIRING, queueMail } from '../mails/account-mails.ts'
import { listPeople } from '../people/people.ts'
import { listPresentScopes, sumScopes } from '../tenants/each-tenant.ts'
import type { ClockFor } from '../tenants/tenant-clock.ts'

const BATCH = 100

type Context = { db: Db; clock: Clock; clockFor: ClockFor }

/** An event and mails, 14 and 3 days before a key expires, in real time. Returns how many keys. */
export async function warnOfExpiringKeys({ db, clock, clockFor }: Context): Promise<number> {
  const scopes = await listPresentScopes(db)
  return await sumScopes(scopes, async (tenantId) => {
    let warned = 0
    for (;;) {
      const found = await selectExpiring(db, { tenantId, now: clock(), limit: BATCH })
      for (const key of found) {
        await inTransaction(db, async (tx) => {
          await warn(tx, key, { now: clock(), occurredAt: await clockFor(tx, key.tenantId) })
        })
      }
      warned += found.length
      if (found.length < BATCH) return warned
    }
  })
}

async function warn(
  tx: Tx,
  key: ExpiringKey,
  { now, occurredAt }: { now: Date; occurredAt: Date },
): Promise<void> {
  // Another worker, or a person who revokes the key, may come first.
  if (!(await updateExpiryWarned(tx, key, now))) return
  const { tenantId, keyId, expiresAt } = key
  const people = peopleOf(tenantId)
  for (const { id: personId, role } of await listPeople(tx, people)) {
    if (role === 'viewer') continue
    await queueMail(tx, { ...people, personId }, { kind: KEY_EXPIRING, subjectId: keyId }, now)
  }
  appendEvents(tx, tenantId, [
    {
      type: 'api_key.expiring',
      resource: { type: 'api_key', id: keyId },
      occurredAt,
      data: { key_id: keyId, expires_at: expiresAt.toISOString() },
    },
  ])
}
