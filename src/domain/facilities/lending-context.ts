import type { PriceFeed } from '../collateral/prices.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import type { LendingTerms } from './policy.ts'

/** Once a facility is locked in it, `policy` is the facility's own. */
export type LendingContext = TenantContext & LendingTerms & { prices: PriceFeed }
