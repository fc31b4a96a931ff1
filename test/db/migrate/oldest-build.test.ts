import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort()

test('every migration since 0021 states the oldest build that works after it', async () => {
  for (const name of names.filter((name) => name >= '0021')) {
    const { oldestBuild } = await import(new URL(`${name}.ts`, FOLDER).href)
    expect(names.slice(0, names.indexOf(name) + 1), name).toContain(oldestBuild)
  }
})
