import { readManyPositions } from '../../domain/facilities/custody/read-many-positions.ts'
import type { Claim } from '../../domain/work/claim.ts'
import type { ItemResult } from '../../domain/work/run-work.ts'
import type { JobContext } from '../job-context.ts'

/** Reads the positions of claimed facilities of one tenant, in one call. */
export async function readPositions(
  context: JobContext,
  claims: readonly Claim[],
): Promise<ItemResult[]> {
  const tenantId = claims[0]?.tenantId ?? ''
  const ids = claims.map(({ subjectId }) => subjectId)
  const results = await readManyPositions(context, tenantId, ids)
  return ids.map((id) => results.get(id) ?? { done: true })
}
