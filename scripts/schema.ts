// npm run schema: writes migrations/schema.txt, the schema that the migrations make of an empty database, and
// adds new migrations to migrations/frozen.sha256. It fails where a migration of that list has changed. With
// --check it writes nothing and fails where either file differs.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase } from '../src/db/database.ts'
import { migrateToLatest } from '../src/db/migrate/migrate.ts'
import { startPostgres } from '../src/local/stores/postgres.ts'
import { describeSchema } from './describe-schema.ts'
import { readFrozen } from './frozen-migrations.ts'

const FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))
const FILE = join(FOLDER, 'schema.txt')
const ROLE = { name: 'lending_service', password: 'none' }

const isCheck = process.argv.includes('--check')
const frozen = readFrozen(FOLDER)
for (const file of frozen.broken) {
  console.error(
    `migrations/${file} has changed or is gone, and databases exist that it has made: put it back and write a new migration (docs/migrations.md#a-migration-never-changes).`,
  )
}
if (isCheck) {
  for (const file of frozen.added) {
    console.error(`migrations/${file} is not in the list of migrations: run npm run schema.`)
  }
}
if (frozen.broken.length > 0 || (isCheck && frozen.added.length > 0)) process.exit(1)

const schema = `Written by npm run schema.\n\n${await describeFreshDatabase()}`
const isCurrent = readIfThere(FILE) === schema
if (isCheck) {
  if (!isCurrent) console.error(`${FILE} is not what the migrations make: run npm run schema.`)
  process.exitCode = isCurrent ? 0 : 1
} else {
  writeFileSync(FILE, schema)
  writeFileSync(join(FOLDER, 'frozen.sha256'), frozen.list)
  console.log(isCurrent ? 'Nothing changed' : `Wrote ${FILE}`)
}

async function describeFreshDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lending-service-schema-'))
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o711)
  await using stores = new AsyncDisposableStack()
  stores.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password: 'none',
    settings: { fsync: 'off' },
  })
  stores.defer(() => postgres.child.stop())
  const url = postgres.urlOf('postgres')
  await migrateToLatest(url, { stack: 'sandbox', appRole: ROLE })
  await using db = createDatabase({ connectionString: url, maxConnections: 1 })
  return await describeSchema(db, ROLE.name)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
