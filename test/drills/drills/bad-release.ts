import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Keep } from '../../support/world/keep.ts'
import { CHECKOUT, untilAnswering } from '../../support/world/service.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic } from '../drill.ts'
import { runCommand } from '../world/commands.ts'
import { openStack, type Stack } from '../world/stack.ts'

/** Its migration works, its processes do not. */
export const badRelease: Drill = {
  name: 'bad-release',
  title:
    'a release migrates, its processes never become ready, and the one before is started again',
  aim: { failures: 0 },
  async run(stage) {
    const stack = await openStack(stage.keep, await startStores(stage.keep, { settings: CROWDED }))
    const checkout = makeBadRelease(stage.keep)
    return await drillUnderTraffic(stage, stack, async (traffic) => {
      const problems = await roll(stack, checkout)
      await traffic.untilServed(40)
      problems.push(...(await goBack(stack)))
      return problems
    })
  },
}

/** The new API is started beside the old ones, and ends; the old ones serve on. */
async function roll(stack: Stack, checkout: string): Promise<string[]> {
  const migrated = await migrate(stack, checkout)
  const bad = await stack.startApi({ checkout })
  const how = await bad.child.ended
  return [
    ...(migrated.code === 0
      ? []
      : [`the release's migrate ended with ${migrated.code}: ${migrated.output}`]),
    ...(how === 'exit code 0' ? ['the bad release did not fail'] : []),
    ...(await findUnready(stack)),
  ]
}

/** The older image is started as at any deployment: its migrate, then its processes. */
async function goBack(stack: Stack): Promise<string[]> {
  const { code, output } = await migrate(stack, CHECKOUT)
  const added = await stack.startApi()
  await untilAnswering(added.inner)
  const [old] = stack.apis.splice(0, 1, added)
  stack.announce()
  await old?.stop()
  const isAhead = code === 0 && output.includes('is ahead of this build')
  return [
    ...(isAhead ? [] : [`the older migrate ended with ${code}: ${output}`]),
    ...(await findUnready(stack)),
  ]
}

async function migrate(stack: Stack, checkout: string) {
  const { name, password } = stack.appRole
  const settings = { APP_ROLE_PASSWORD: password }
  return await runCommand(stack, ['migrate', '--app-role', name], { checkout, settings })
}

async function findUnready({ apis }: Stack): Promise<string[]> {
  const bodies = await Promise.all(
    apis.map(async ({ inner }) => await (await fetch(`${inner}/readyz`)).text()),
  )
  return bodies
    .filter((body) => !(body.includes('"ready":true') && body.includes('"ahead"')))
    .map((body) => `an old API answers ${body}`)
}

/** This checkout with one migration more and a server that cannot start. */
function makeBadRelease({ folder }: Keep): string {
  const checkout = join(folder, 'release')
  mkdirSync(checkout)
  for (const name of ['src', 'migrations', 'package.json']) {
    cpSync(join(CHECKOUT, name), join(checkout, name), { recursive: true })
  }
  for (const name of ['node_modules', 'docs', 'dist', 'openapi.json']) {
    symlinkSync(join(CHECKOUT, name), join(checkout, name))
  }
  const newest = findNewestMigration()
  writeFileSync(
    join(checkout, 'migrations', '9999-drill.ts'),
    [
      "import { type Kysely, sql } from 'kysely'",
      `export const oldestBuild = '${newest}'`,
      'export async function up(db: Kysely<unknown>): Promise<void> {',
      '  await sql`CREATE TABLE drill (note text)`.execute(db)',
      '}',
    ].join('\n'),
  )
  const list = join(checkout, 'src', 'db', 'migrate', 'migrate.ts')
  const listed = readFileSync(list, 'utf8').replace(
    /const MIGRATIONS.*\n/,
    (line) =>
      `import * as drill from '../../../migrations/9999-drill.ts'\n${line}  '9999-drill': drill,\n`,
  )
  writeFileSync(list, listed)
  appendFileSync(join(checkout, 'src', 'server.ts'), "\nthrow new Error('a bad release')\n")
  return checkout
}

function findNewestMigration(): string {
  const files = readdirSync(join(CHECKOUT, 'migrations')).filter((name) => name.endsWith('.ts'))
  return files.sort().at(-1)?.replace(/\.ts$/, '') ?? ''
}
