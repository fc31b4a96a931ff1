import { Refusal } from '../../core/errors.ts'
import { type ListRequest, listPage, type Page } from '../../core/page.ts'
import type { Db, Tx } from '../../db/database.ts'
import { LENDER } from '../../db/sql/people-tables.ts'
import { shareRole } from '../people/people-queries.ts'
import {
  type ActionFilter,
  insertOperatorAction,
  lockTrail,
  selectOperatorAction,
  selectOperatorActions,
} from './action-queries.ts'
import {
  findRecordKey,
  type OpenRecord,
  openRecords,
  sealMembers,
  sealText,
} from './personal-record.ts'
import { mayDo, type OperatorActName, type OperatorRole } from './roles.ts'

/** A person of the lender, or the system's user who runs a command with the owner's password. */
export type OperatorActor =
  | { kind: 'operator'; id: string; email: string; role: OperatorRole }
  | { kind: 'system'; user: string }

/** Who acts, when, and by which request. */
export type ActingOperator = {
  actor: OperatorActor
  now: Date
  requestId?: string | undefined
  /** Since when they hold the youngest credential that led here; undefined: since ever, or the system's
   * user names them. */
  heldSince?: Date | undefined
}

/** Never a secret. What may name a person is sealed where it is recorded. */
export type OperatorAct = {
  action: OperatorActName
  subject?: { kind: string; id: string }
  tenantId?: string | undefined
  reason?: string | undefined
  before?: object
  after?: object
  /** What is known only when it runs: recorded with `after`, and no part of a proposal. */
  outcome?: object
}

export function nameActor(actor: OperatorActor): string {
  return actor.kind === 'operator' ? actor.email : `os:${actor.user}`
}

/** In the transaction of the act and as its last write, because actions are numbered in order.
 * Refuses `scope_missing` for an act that is not of the operator's role, as it is in this
 * transaction. */
export async function recordOperatorAction(
  tx: Tx,
  { actor, now, requestId }: ActingOperator,
  act: OperatorAct,
): Promise<void> {
  await assertAllowedNow(tx, actor, act.action)
  const found = await findRecordKey(tx, act.tenantId, act.subject)
  const last = await lockTrail(tx)
  await insertOperatorAction(
    tx,
    { number: last.last_number, hash: last.last_hash },
    {
      operatorId: actor.kind === 'operator' ? actor.id : undefined,
      actor: nameActor(actor),
      action: act.action,
      subjectKind: act.subject?.kind,
      subjectId: act.subject?.id,
      tenantId: act.tenantId,
      borrowerId: found?.borrowerId,
      reason: sealText(found, act.reason),
      before: sealMembers(found, act.before),
      after: sealMembers(found, act.outcome ? { ...act.after, ...act.outcome } : act.after),
      requestId,
      actedAt: now,
    },
  )
}

/** The role that the request began with may have changed since. */
async function assertAllowedNow(
  tx: Tx,
  actor: OperatorActor,
  action: OperatorActName,
): Promise<void> {
  if (actor.kind === 'system') return
  const role = await shareRole(tx, { ...LENDER, personId: actor.id })
  if (!role) throw new Refusal('scope_missing', `${actor.email} is no longer an operator.`)
  assertAllowed({ ...actor, role }, action)
}

export function assertAllowed(actor: OperatorActor, action: OperatorActName): void {
  if (actor.kind === 'system' || mayDo(actor.role, action)) return
  throw new Refusal('scope_missing', `The role ${actor.role} does not allow ${action}.`)
}

export type RecordedOperatorAction = {
  number: bigint
  operatorId: string | undefined
  actor: string
  action: string
  subject: { kind: string; id: string } | undefined
  tenantId: string | undefined
  reason: string | undefined
  before: object | undefined
  after: object | undefined
  requestId: string | undefined
  actedAt: Date
  /** Hexadecimal. */
  previousHash: string
  hash: string
}

/** Newest first; refuses `cursor_invalid`. */
export async function listOperatorActions(
  db: Db,
  filter: ActionFilter,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<RecordedOperatorAction>> {
  const { subjectId = '', tenantId = '', actor = '' } = filter
  const page = await listPage(
    { ...list, context: `operator/actions/${subjectId}/${tenantId}/${actor}`, parseKey: BigInt },
    (stretch) => selectOperatorActions(db, filter, stretch),
    (row) => row.number,
  )
  return { ...page, items: await toActions(db, page.items) }
}

/** Refuses `not_found`. */
export async function getOperatorAction(db: Db, number: bigint): Promise<RecordedOperatorAction> {
  const row = await selectOperatorAction(db, number)
  if (!row) throw new Refusal('not_found', `There is no action ${number}.`)
  const [action] = await toActions(db, [row])
  if (!action) throw new Error('an action was lost')
  return action
}

/** The newest, last act first. */
export async function readOperatorActions(
  db: Db,
  filter: ActionFilter,
  limit: number,
): Promise<RecordedOperatorAction[]> {
  return await toActions(db, await selectOperatorActions(db, filter, { before: undefined, limit }))
}

type Row = Awaited<ReturnType<typeof selectOperatorActions>>[number]

async function toActions(db: Db, rows: readonly Row[]): Promise<RecordedOperatorAction[]> {
  return (await openRecords(db, rows)).map(toAction)
}

function toAction({ row, open }: { row: Row; open: OpenRecord }): RecordedOperatorAction {
  return {
    number: row.number,
    operatorId: row.operator_id ?? undefined,
    actor: row.actor,
    action: row.action,
    subject:
      row.subject_id === null ? undefined : { kind: row.subject_kind ?? '', id: row.subject_id },
    tenantId: row.tenant ?? undefined,
    reason: open.text(row.reason),
    before: open.members(row.before),
    after: open.members(row.after),
    requestId: row.request_id ?? undefined,
    actedAt: row.acted_at,
    previousHash: row.previous_hash.toString('hex'),
    hash: row.hash.toString('hex'),
  }
}
