import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The newest migration of the first release: no build is older. */
const FIRST_RELEASE = '0022-audit'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort()

test('every migration since the first release states the oldest build that works after it', async () => {
  for (const name of names.filter((name) => name > FIRST_RELEASE)) {
    const { oldestBuild } = await import(new URL(`${name}.ts`, FOLDER).href)
    expect(names.slice(0, names.indexOf(name) + 1), name).toContain(oldestBuild)
  }
})
