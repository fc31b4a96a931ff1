import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { openCell } from '../../src/db/tenant-move/cell.ts'
import { type MoveOptions, type MoveStep, moveTenant } from '../../src/domain/cells/move-tenant.ts'
import { testKey } from './lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from './stores/database.ts'

/** The database of another cell, with the policies of this one. */
export async function createTargetCell(source: Db, name = 'b'): Promise<TestDatabase> {
  const target = await createTestDatabase()
  await sql`UPDATE stack SET instance_id = gen_random_uuid(), cell = ${name}`.execute(target.db)
  await copyPolicies(source, target.db)
  return target
}

const POLICIES = [
  'residency_policy',
  'margin_policy_versions',
  'margin_policy_withdrawals',
] as const

/** Those that the target does not have yet. */
export async function copyPolicies(source: Db, target: Db): Promise<void> {
  for (const table of POLICIES) {
    const { rows } = await sql`SELECT to_jsonb(t) AS row FROM ${sql.table(table)} t`.execute(source)
    await sql`
      INSERT INTO ${sql.table(table)}
      SELECT r.* FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) AS e,
        jsonb_populate_record(NULL::${sql.table(table)}, e -> 'row') AS r
      ON CONFLICT DO NOTHING`.execute(target)
  }
}

export type TestMove = Partial<Omit<MoveOptions, 'tenantId'>> & { tenantId: string }

/** One run of the command on new connections; `at` is called at each step. */
export async function runMove(
  urls: { source: string; target: string },
  { tenantId, ...rest }: TestMove,
): Promise<{ steps: MoveStep[]; keyIds: string[] }> {
  await using source = await openCell(urls.source)
  await using target = await openCell(urls.target)
  const steps: MoveStep[] = []
  const keyIds = await moveTenant(
    { source, target },
    {
      ...{ tenantId, to: 'b', targetKeys: [testKey('test')], now: new Date(), waitMs: 200 },
      ...rest,
      async onStep(step) {
        steps.push(step)
        await rest.onStep?.(step)
      },
    },
  )
  return { steps, keyIds }
}

/** As what kill -9 leaves: sessions end, and nothing more is done. */
export class CutOff extends Error {}

export function cutOffAt(last: MoveStep): Pick<MoveOptions, 'onStep'> {
  return {
    onStep(step) {
      if (step === last) throw new CutOff(step)
    },
  }
}

export async function readMove(db: Db, tenantId: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('tenants')
    .select('move')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.move
}
