// The only file of the service that reads the environment of its process.
import { type Config, loadConfig } from './config.ts'
import { type DatabaseConfig, loadDatabaseConfig } from './database-config.ts'
import { loadVendorSecrets, type VendorName, type VendorSecrets } from './vendor-secrets.ts'

export function loadProcessConfig(): Config {
  return loadConfig(process.env)
}

export function loadProcessDatabaseConfig(): DatabaseConfig {
  return loadDatabaseConfig(process.env)
}

export function isNpmScript(name: string): boolean {
  const { npm_lifecycle_event: script } = process.env
  return script === name
}

export function loadProcessVendorSecrets(vendor: VendorName): VendorSecrets {
  return loadVendorSecrets(process.env, vendor)
}
