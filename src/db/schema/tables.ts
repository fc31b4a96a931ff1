import type { CollateralTables } from './collateral.ts'
import type { ConsoleTables } from './console.ts'
import type { EventTables } from './events.ts'
import type { FacilityTables } from './facilities.ts'
import type { HistoryTables } from './history.ts'
import type { MailTables } from './mails.ts'
import type { MarginTables } from './margin.ts'
import type { OnboardingTables } from './onboarding.ts'
import type { OperatorTables } from './operators.ts'
import type { ProviderTables } from './providers.ts'
import type { ReconciliationTables } from './reconciliation.ts'
import type { RepaymentTables } from './repayments.ts'
import type { TenantTables } from './tenants.ts'
import type { WorkTables } from './work.ts'

/** The tables as the application sees them; `migrations/` makes them so. */
export type Tables = TenantTables &
  EventTables &
  WorkTables &
  OnboardingTables &
  CollateralTables &
  FacilityTables &
  RepaymentTables &
  ReconciliationTables &
  MarginTables &
  HistoryTables &
  ProviderTables &
  ConsoleTables &
  MailTables &
  OperatorTables
