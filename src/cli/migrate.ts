import type { Command } from 'commander'
import { migrateToLatest } from '../db/migrate.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from './define-command.ts'
import { locateDatabase, unusable } from './session.ts'

export function addMigrateCommand(program: Command, io: CliIo): void {
  defineCommand(program, 'migrate', 'Bring the database to the schema of this build.', [
    'migrate',
  ]).action(async (options: CommonOptions) => {
    const databaseUrl = locateDatabase(io.loadConfig())
    const { applied } = await migrateToLatest(databaseUrl).catch((error: unknown) => {
      throw unusable(databaseUrl, error)
    })
    const text = applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`
    printReport(io, options, { data: { applied }, text })
  })
}
