import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { type CellPair, type Identities, refused } from './assert-movable.ts'
import { type OpenMove, selectOpenMove, selectTenantMove } from './move-queries.ts'

export type MoveState = {
  source: 'here' | 'leaving' | 'gone'
  moveId: string
  /** Whether the target has the whole copy. */
  isCopied: boolean
  /** Whether the target serves it. */
  hasArrived: boolean
  identities: Identities
}

/** How far the move has come. Refuses `not_found`, and `validation_failed` where another move or
 * another tenant is in its way. */
export async function readMoveState(
  { source, target }: CellPair,
  { tenantId, to }: { tenantId: string; to: string },
  identities: Identities,
): Promise<MoveState> {
  const ours = await selectTenantMove(source.db, tenantId)
  const theirs = await selectTenantMove(target.db, tenantId)
  if (!ours) throw new Refusal('not_found', `There is no tenant ${tenantId}.`)
  const leaving = await selectOpenMove(source.db, tenantId)
  const arriving = await selectOpenMove(target.db, tenantId)
  if (ours.move === 'arriving') throw refused(`Tenant ${tenantId} is arriving here.`)
  if (ours.move === 'gone') {
    if (leaving?.other_instance !== identities.target.instanceId || !theirs) {
      throw refused(`Tenant ${tenantId} has moved away from here.`)
    }
    const hasArrived = theirs.move !== 'arriving'
    return { source: 'gone', moveId: leaving.move_id, isCopied: true, hasArrived, identities }
  }
  if (leaving && leaving.other_instance !== identities.target.instanceId) {
    const other = leaving.other_cell ?? leaving.other_instance
    throw refused(
      `Tenant ${tenantId} is leaving for the cell ${other}: end or abandon that move first.`,
    )
  }
  if (theirs && !isSameMove(leaving, arriving)) {
    throw refused(
      theirs.move === 'gone'
        ? `The cell ${to} keeps what the tenant left there: run tenants forget there first.`
        : `The cell ${to} has the tenant ${tenantId} already.`,
    )
  }
  return {
    source: leaving ? 'leaving' : 'here',
    moveId: leaving?.move_id ?? randomUUID(),
    isCopied: theirs !== undefined,
    hasArrived: false,
    identities,
  }
}

const isSameMove = (leaving: OpenMove | undefined, arriving: OpenMove | undefined) =>
  leaving !== undefined && leaving.move_id === arriving?.move_id
