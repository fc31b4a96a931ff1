import { setTimeout } from 'node:timers/promises'
import { Refusal } from '../../core/errors.ts'
import type { SealingKey } from '../../core/sealing.ts'
import { inTransaction } from '../../db/database.ts'
import { type Cell, lockMoves } from '../../db/tenant-move/cell.ts'
import { findDifferences } from '../../db/tenant-move/compare.ts'
import { copyTenant } from '../../db/tenant-move/copy.ts'
import { syncFence } from '../../db/tenant-move/fence.ts'
import { removeTenant } from '../../db/tenant-move/remove.ts'
import { listTenantTables } from '../../db/tenant-move/tables.ts'
import {
  assertCells,
  assertReadable,
  assertSameSettings,
  type CellPair,
  refused,
} from './assert-movable.ts'
import {
  hasClaims,
  insertMove,
  makeWebhooksDue,
  passFence,
  selectActiveKeyIds,
  selectOpenMove,
  selectTenantMove,
  updateEnded,
  updateHeld,
  updateTenantMove,
} from './move-queries.ts'
import { type MoveState, readMoveState } from './move-state.ts'

export type MoveStep = 'leaving' | 'held' | 'copied' | 'compared' | 'gone' | 'arrived'

export type MoveOptions = {
  tenantId: string
  /** The cell that the operator means the target to be. */
  to: string
  targetKeys: readonly SealingKey[]
  now: Date
  /** How long work that is running may take to end; then it ends without effect. */
  waitMs: number
  onStep: (step: MoveStep) => void | Promise<void>
}

const POLL_MS = 100

/** By which requests that still come to the source are verified, and answered with 503. */
const KEPT = new Set(['tenants', 'api_keys', 'api_key_owners'])

/** Takes a tenant to another cell, or goes on where an earlier call was cut off. The tenant is served
 * by the source until its `gone` commits, and by the target from the commit after it on: never by
 * both. What it leaves in the source is deleted. Returns the ids of its keys, for the proxy. Refuses `validation_failed`, `not_found` and
 * `limit_reached` (another move runs). */
export async function moveTenant(cells: CellPair, options: MoveOptions): Promise<string[]> {
  const { tenantId, onStep } = options
  const identities = await assertCells(cells, options.to)
  await lockBoth(cells)
  const state = await readMoveState(cells, options, identities)
  // Once it has begun, it ends whatever was set since.
  if (state.source === 'here') await assertSameSettings(cells, options.now)
  if (state.source !== 'gone') {
    await assertReadable(cells.source.db, tenantId, options.targetKeys)
    await leave(cells.source, options, state)
    await bring(cells, options, state)
    await change(cells.source, tenantId, { from: 'leaving', to: 'gone' })
    await onStep('gone')
  }
  if (!state.hasArrived) await arrive(cells.target, tenantId)
  await onStep('arrived')
  await removeTenant(cells.source.client, tenantId, KEPT)
  await inTransaction(cells.source.db, (tx) => updateEnded(tx, tenantId))
  return await selectActiveKeyIds(cells.target.db, tenantId)
}

/** After this nothing writes the tenant's rows in the source, and what did has committed. */
async function leave(source: Cell, options: MoveOptions, state: MoveState): Promise<void> {
  const { tenantId, waitMs, onStep } = options
  if (state.source === 'here') {
    await inTransaction(source.db, async (tx) => {
      assertChanged(await updateTenantMove(tx, tenantId, { from: null, to: 'leaving' }))
      const { moveId, identities } = state
      const { instanceId: otherInstance, cell: otherCell } = identities.target
      await insertMove(tx, { tenantId, moveId, direction: 'out', otherInstance, otherCell })
    })
  }
  await onStep('leaving')
  await syncFence(source.client)
  const until = performance.now() + waitMs
  while (performance.now() < until && (await hasClaims(source.db, tenantId))) {
    await setTimeout(POLL_MS)
  }
  await updateHeld(source.db, tenantId)
  await syncFence(source.client)
  await onStep('held')
}

async function bring(
  { source, target }: CellPair,
  { tenantId, onStep }: MoveOptions,
  { isCopied, moveId, identities }: MoveState,
): Promise<void> {
  const tables = await listTenantTables(source.client)
  const copy = { source: source.client, target: target.client, tables, tenantId }
  const { instanceId: otherInstance, cell: otherCell } = identities.source
  if (!isCopied) await copyTenant(copy, { moveId, otherInstance, otherCell })
  await onStep('copied')
  const different = await findDifferences(copy)
  if (different.length > 0) {
    throw refused(
      `The target does not have the rows of the source, in ${different.join(', ')}: run this again with --abandon, and then without.`,
    )
  }
  await onStep('compared')
}

async function arrive(target: Cell, tenantId: string): Promise<void> {
  await inTransaction(target.db, async (tx) => {
    assertChanged(await updateTenantMove(tx, tenantId, { from: 'arriving', to: null }))
    await makeWebhooksDue(tx, tenantId)
    await updateEnded(tx, tenantId)
  })
}

async function change(
  { db }: Cell,
  tenantId: string,
  states: Parameters<typeof updateTenantMove>[2],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await passFence(tx, tenantId)
    assertChanged(await updateTenantMove(tx, tenantId, states))
  })
}

/** Undoes a move that has not come to `gone`. Refuses `validation_failed`. */
export async function abandonMove(
  cells: CellPair,
  { tenantId, to }: Pick<MoveOptions, 'tenantId' | 'to'>,
): Promise<void> {
  const { source, target } = cells
  const identities = await assertCells(cells, to)
  await lockBoth(cells)
  const open = await selectOpenMove(source.db, tenantId)
  const state = await selectTenantMove(source.db, tenantId)
  if (state?.move !== 'leaving' || open?.other_instance !== identities.target.instanceId) {
    throw refused(
      state?.move === 'gone'
        ? `Tenant ${tenantId} is gone already: run this again without --abandon to end its move.`
        : `Tenant ${tenantId} is not leaving for ${to}.`,
    )
  }
  const arriving = await selectOpenMove(target.db, tenantId)
  // The copy first, so that the tenant is never in both.
  if (arriving?.move_id === open.move_id) {
    await removeTenant(target.client, tenantId)
    await inTransaction(target.db, (tx) => updateEnded(tx, tenantId))
  }
  await change(source, tenantId, { from: 'leaving', to: null })
  await syncFence(source.client)
  await inTransaction(source.db, (tx) => updateEnded(tx, tenantId))
}

/** Deletes what a tenant that moved away has left. Refuses `validation_failed`. */
export async function forgetTenant(cell: Cell, tenantId: string): Promise<void> {
  await lockOne(cell)
  const state = await selectTenantMove(cell.db, tenantId)
  if (state?.move !== 'gone') throw refused(`Tenant ${tenantId} has not moved away from here.`)
  if (await selectOpenMove(cell.db, tenantId)) {
    throw refused(`The move of ${tenantId} has not ended: run tenants move once more.`)
  }
  await removeTenant(cell.client, tenantId)
  await syncFence(cell.client)
}

async function lockBoth({ source, target }: CellPair): Promise<void> {
  await lockOne(source)
  await lockOne(target)
}

async function lockOne(cell: Cell): Promise<void> {
  if (await lockMoves(cell)) return
  throw new Refusal('limit_reached', 'Another move runs, out of one of these cells or into it.')
}

function assertChanged(isChanged: boolean): void {
  if (!isChanged) throw new Error('the tenant changed under the lock on moves')
}
