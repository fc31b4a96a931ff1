import { readManyPositions } from '../domain/facilities/read-many-positions.ts'
import type { Claim } from '../domain/work/claim.ts'
import type { ItemResult } from '../domain/work/run-work.ts'
import type { JobContext } from './job-context.ts'

/** So many tenants are read at once, in a call each. */
const TENANTS_AT_ONCE = 4

/** Reads the positions of claimed facilities; where a tenant's call fails, only its claims fail. */
export async function readPositions(
  context: JobContext,
  claims: readonly Claim[],
): Promise<ItemResult[]> {
  const results = new Map<string, ItemResult>()
  const byTenant = Map.groupBy(claims, ({ tenantId }) => tenantId).entries()
  const readNext = async () => {
    for (const [tenantId, ofTenant] of byTenant) {
      const ids = ofTenant.map(({ subjectId }) => subjectId)
      const failed = (error: unknown) =>
        new Map(ids.map((id): [string, ItemResult] => [id, { error }]))
      const read = await readManyPositions(context, tenantId, ids).catch(failed)
      for (const [id, result] of read) results.set(id, result)
    }
  }
  await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, readNext))
  return claims.map(({ subjectId }) => results.get(subjectId) ?? { done: true })
}
