import type { CommandIo } from '../../command-line/command-io.ts'
import type { DatabaseConfig } from '../../config/database-config.ts'
import type { VendorName, VendorSecrets } from '../../config/vendor-secrets.ts'
import type { Clock } from '../../core/time.ts'
import type { PriceFeed } from '../../domain/collateral/prices.ts'

/** Everything that a command uses besides the database and files. */
export type CliIo = CommandIo & {
  /** Called by the commands that need it, so that help needs no configuration. */
  loadConfig: () => DatabaseConfig
  /** Loads the secrets that a live stack shares with a vendor. Only the commands that need them call it. */
  loadVendorSecrets: (vendor: VendorName) => VendorSecrets
  choosePrices: (config: DatabaseConfig) => PriceFeed
  /** Who runs the program. */
  systemUser: () => string
  /** What a person at the terminal answers; undefined if there is none. */
  ask: ((question: string) => Promise<string>) | undefined
  /** Real time. */
  clock: Clock
}
