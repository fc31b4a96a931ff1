import { newId } from '../../../src/core/ids.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import { insertMissing } from '../../../src/domain/deliveries/lane-queries.ts'
import type { TestApi } from '../api/api.ts'

/** A webhook of any URL, as if it had been registered when that was still allowed. */
export async function insertWebhookRow(
  { db }: Pick<TestApi, 'db'>,
  tenantId: string,
  url: string,
): Promise<string> {
  const id = newId('whk')
  await db
    .insertInto('webhooks')
    .values({
      tenant_id: tenantId,
      webhook_id: id,
      url,
      event_types: [],
      label: null,
      state: 'active',
      registered_sequence: 0n,
      created_at: new Date(),
      disabled_at: null,
      deleted_at: null,
    })
    .execute()
  await execute(db, insertMissing({ tenantId }))
  return id
}
