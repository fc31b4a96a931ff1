import { type Command, InvalidArgumentError } from 'commander'
import { Refusal } from '../core/errors.ts'
import { migrateToLatest } from '../db/migrate.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from './define-command.ts'
import { locateDatabase, unusable } from './session.ts'

type MigrateOptions = CommonOptions & { appRole?: string }

const ABOUT = `Bring the database to the schema of this build.

With --app-role the role gets what the API and the worker need and nothing more: no DDL, and no
altering of journal and logs. Give it each time. APP_ROLE_PASSWORD sets the role's password, and has
the role made where it is missing.`

export function addMigrateCommand(program: Command, io: CliIo): void {
  defineCommand(program, 'migrate', ABOUT, ['migrate', 'migrate --app-role lending_app'])
    .option('--app-role <name>', 'the role that the API and the worker log in as', readRole)
    .action(async (options: MigrateOptions) => {
      const config = io.loadConfig()
      const databaseUrl = locateDatabase(config)
      const role = options.appRole && { name: options.appRole, password: config.appRolePassword }
      const onWait = (name: string, attempt: number) =>
        io.writeError(`${name} waits for a lock that others hold; tried ${attempt} times.\n`)
      const { applied } = await migrateToLatest(databaseUrl, role || undefined, { onWait }).catch(
        (error: unknown) => {
          throw error instanceof Refusal ? error : unusable(databaseUrl, error)
        },
      )
      const done = applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}.`
      const granted = role ? ` ${role.name} may do what the API and the worker do.` : ''
      const data = { applied, ...(role ? { app_role: role.name } : {}) }
      printReport(io, options, { data, text: `${done}${granted}` })
    })
}

function readRole(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text
  throw new InvalidArgumentError('Expected the name of a role: small letters, digits and _.')
}
