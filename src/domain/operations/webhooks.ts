import { type ListRequest, listAfter, mapPage, type Page } from '../../core/page.ts'
import type { Db } from '../../db/database.ts'
import {
  countTroubledWebhooks,
  selectTroubledWebhooks,
  type Trouble,
  type TroubledWebhookRow,
} from './webhook-queries.ts'

export type { Trouble } from './webhook-queries.ts'

/** In a row: at its first notice to the tenant. Fewer are usually over by the next attempt. */
const FAILURES_OF_TROUBLE = 25

export type TroubledWebhook = {
  tenantId: string
  tenantName: string
  webhookId: string
  /** Without path and query, which may hold a secret of the tenant's. */
  origin: string
  state: 'active' | 'disabled'
  failedAttempts: number
  disabledAt: Date | undefined
  oldestDueAt: Date | undefined
  lastAttempt: { at: Date; answer: string } | undefined
}

/** Webhooks whose last attempt failed, or that are disabled, by tenant. Refuses `cursor_invalid`. */
export async function listTroubledWebhooks(
  db: Db,
  filter: { tenantId?: string | undefined; trouble?: Trouble | undefined },
  list: Omit<ListRequest, 'context'>,
  realNow: Date,
): Promise<Page<TroubledWebhook>> {
  const { tenantId, trouble } = filter
  const page = await listAfter(
    { ...list, context: `operator/webhooks/${tenantId ?? ''}/${trouble ?? ''}` },
    (stretch) => selectTroubledWebhooks(db, { tenantId, trouble, failures: 1 }, stretch, realNow),
    (row) => [row.tenant_id, row.webhook_id],
  )
  return mapPage(page, toWebhook)
}

function toWebhook(row: TroubledWebhookRow): TroubledWebhook {
  const answer = row.last_status === null ? (row.last_error ?? '') : String(row.last_status)
  return {
    tenantId: row.tenant_id,
    tenantName: row.name,
    webhookId: row.webhook_id,
    origin: new URL(row.url).origin,
    state: row.state,
    failedAttempts: row.failures,
    disabledAt: row.disabled_at ?? undefined,
    oldestDueAt: row.oldest_due_at ?? undefined,
    lastAttempt: row.last_started_at ? { at: row.last_started_at, answer } : undefined,
  }
}

export async function countWebhooksInTrouble(db: Db) {
  return await countTroubledWebhooks(db, FAILURES_OF_TROUBLE)
}
