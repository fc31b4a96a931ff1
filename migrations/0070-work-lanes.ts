import { type Kysely, sql } from 'kysely'
import { createIndexConcurrently } from '../src/db/migrate/concurrent-index.ts'

export const isConcurrent = true

export const oldestBuild = '0021-stack'

/** What is ready by lane: a job claims the items of one topic of one tenant in one of eight parts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(
    db,
    'work_lanes',
    `ON work (priority, tenant_id, topic, (ascii(right(subject_id, 1)) % 8), due_at, subject_id)
       WHERE ready`,
  )
  // A tenant's deadlines that wait for their instants are not read to find that none is ready.
  await createIndexConcurrently(
    db,
    'work_ready_deadlines',
    "ON work (tenant_id, due_at, topic, subject_id) WHERE ready AND clock = 'tenant'",
  )
  await sql`DROP INDEX CONCURRENTLY IF EXISTS work_ready`.execute(db)
}
