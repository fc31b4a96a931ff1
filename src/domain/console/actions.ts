import { newId } from '../../core/ids.ts'
import { type ListRequest, listPage, mapPage, type Page } from '../../core/page.ts'
import type { Db, Tx } from '../../db/database.ts'
import { insertAction, selectActions, selectKeyMakers } from './action-queries.ts'

/** Who acts, and by which request: a person or an API key, else the operator. */
export type Actor = {
  tenantId: string
  personId?: string | undefined
  keyId?: string | undefined
  requestId?: string | undefined
  now: Date
}

export type ConsoleAction = {
  /** The name of the operation. */
  action: string
  /** The id of what it is about. */
  subject?: string | undefined
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** In the transaction of the act, so that neither exists without the other. */
export async function recordAction(tx: Tx, actor: Actor, act: ConsoleAction): Promise<void> {
  await insertAction(tx, {
    tenantId: actor.tenantId,
    actionId: newId('act'),
    personId: actor.personId,
    keyId: actor.keyId,
    action: act.action,
    subject: act.subject,
    before: act.before,
    after: act.after,
    requestId: actor.requestId,
    actedAt: actor.now,
  })
}

export type RecordedAction = ConsoleAction & {
  id: string
  person: { id: string; name: string; email: string } | undefined
  keyId: string | undefined
  requestId: string | undefined
  actedAt: Date
}

/** Newest first. */
export async function listActions(
  db: Db,
  tenantId: string,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<RecordedAction>> {
  const page = await listPage(
    { ...list, context: `console/actions/${tenantId}`, parseKey: (text) => text },
    (stretch) => selectActions(db, tenantId, stretch),
    (row) => row.action_id,
  )
  return mapPage(page, (row) => ({
    id: row.action_id,
    person: toPerson(row),
    keyId: row.key_id ?? undefined,
    action: row.action,
    subject: row.subject ?? undefined,
    ...(row.before && { before: row.before }),
    ...(row.after && { after: row.after }),
    requestId: row.request_id ?? undefined,
    actedAt: row.acted_at,
  }))
}

/** Maps the id of a key that was made in the console to the person who made it, removed people too. */
export async function findKeyMakers(
  db: Db,
  tenantId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await selectKeyMakers(db, tenantId)
  return new Map(rows.map((row) => [row.subject ?? '', row.person_id ?? '']))
}

type ActionRow = Awaited<ReturnType<typeof selectActions>>[number]

function toPerson({ person_id: id, name, email }: ActionRow) {
  return id === null ? undefined : { id, name: name ?? '', email: email ?? '' }
}
