import type { Db } from '../../db/database.ts'
import { countPasskeysOf } from './passkey-queries.ts'

export async function countPasskeys(db: Db, tenantId: string, personId: string): Promise<number> {
  return await countPasskeysOf(db, tenantId, personId)
}
