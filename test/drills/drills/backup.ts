import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { settle } from '../../faults/world/settle.ts'
import { CHECKOUT } from '../../support/world/service.ts'
import { CROWDED, DATABASE, startStores } from '../../support/world/stores.ts'
import { type Drill, findLosses, type Outcome, type Stage } from '../drill.ts'
import { runCommand, runProgram } from '../world/commands.ts'
import { addPerson, findPerson } from '../world/person.ts'
import { openStack } from '../world/stack.ts'
import { startTraffic } from '../world/traffic.ts'

const MAJOR_VERSION = 18

/** What the script and this drill call, of PostgreSQL's own programs. */
const TOOLS = ['pg_dump', 'pg_restore', 'createdb', 'dropdb']

/** As docs/backups.md has it, with the script of the container `live-backup`. */
export const backup: Drill = {
  name: 'backup',
  title: 'the database is lost and restored from a dump, Redis begins empty',
  aim: {},
  stops: 'the dump',
  findObstacle() {
    const missing = TOOLS.find((tool) => readMajorVersion(tool) < MAJOR_VERSION)
    return missing && `it needs ${missing} of PostgreSQL ${MAJOR_VERSION} or later on the path`
  },
  run,
}

function readMajorVersion(tool: string): number {
  const { stdout } = spawnSync(tool, ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}

async function run({ keep, say }: Stage): Promise<Outcome> {
  const stores = await startStores(keep, { settings: CROWDED })
  const stack = await openStack(keep, stores)
  const traffic = await startTraffic(keep, stack)
  await traffic.untilServed(200)
  const measured = await traffic.stop()
  await settle(stack, say)
  const folder = join(keep.folder, 'backups')
  mkdirSync(folder)
  const backUp = await openBackups(stores.databaseUrl, folder)
  const person = await addPerson(stack)
  await backUp('once')
  // After the dump, which still has them.
  const erasing = { ERASED_FILE: join(keep.folder, 'erased.jsonl'), FOUR_EYES: 'off' }
  const erase = ['borrowers', 'erase']
  const erased = await runCommand(stack, [...erase, ...person.named], { settings: erasing })
  await Promise.all([...stack.apis, ...stack.workers].map((part) => part.stop()))
  await stack.db.destroy()
  const [dump = 'none'] = readdirSync(folder).filter((name) => name.endsWith('.dump'))
  await backUp('restore', join(folder, dump))
  await stores.redis.kill()
  stores.redis.forget()
  await stores.redis.start()
  const { name, password } = stack.appRole
  const settings = { APP_ROLE_PASSWORD: password }
  const migrated = await runCommand(stack, ['migrate', '--app-role', name], { settings })
  const restored = await stack.reopen()
  const isBack = findPerson(stack.databaseUrl).length > 0
  const replayed = await runCommand(stack, [...erase, '--replay'], { settings: erasing })
  return {
    measured,
    problems: [
      ...(migrated.code === 0 ? [] : [`migrate ended with ${migrated.code}: ${migrated.output}`]),
      ...(erased.code === 0 ? [] : [`borrowers erase ended with ${erased.code}: ${erased.output}`]),
      ...(isBack ? [] : ['the dump had nothing of the person who was erased after it']),
      ...(replayed.code === 0
        ? []
        : [`the replay ended with ${replayed.code}: ${replayed.output}`]),
      ...findPerson(stack.databaseUrl).map((line) => `a dump still has ${line}`),
      // The traffic did not ask for them.
      ...(await findLosses(restored, traffic, say)).filter((line) => !line.includes(person.id)),
    ],
  }
}

async function openBackups(databaseUrl: string, folder: string) {
  const { hostname, port, username, password } = new URL(databaseUrl)
  const env = {
    ...process.env,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: DATABASE,
    BACKUP_FOLDER: folder,
  }
  const script = join(CHECKOUT, 'deploy', 'backup', 'backup.sh')
  return async (...args: string[]) => {
    const { code, output } = await runProgram('sh', [script, ...args], { env })
    if (code !== 0) throw new Error(`backup.sh ${args.join(' ')}: ${output}`)
  }
}
