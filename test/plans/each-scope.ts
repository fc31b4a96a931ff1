import type { TenantScope } from '../../src/db/tenant-scope.ts'

/** Calls a function for one tenant, as on a distributed database, and for all at once. */
export async function inEachScope(
  tenantId: string,
  run: (scope: TenantScope) => Promise<unknown>,
): Promise<void> {
  await run(tenantId)
  await run(undefined)
}
