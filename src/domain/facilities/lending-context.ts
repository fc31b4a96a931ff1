import type { PriceFeed } from '../collateral/prices.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import type { LendingPolicy } from './policy.ts'

export type LendingContext = TenantContext & { prices: PriceFeed; policy: LendingPolicy }
