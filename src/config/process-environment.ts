// The only file of the service that reads the environment of its process.
import { type Config, loadConfig } from './config.ts'
import { type DatabaseConfig, loadDatabaseConfig } from './database-config.ts'

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
