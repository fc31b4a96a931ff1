import type { Instant } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'

/** One tenant's open transaction and the two times it acts at; bound where the transaction opens. */
export type TenantContext = Instant & { tx: Tx; tenantId: string }
