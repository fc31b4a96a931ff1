import { expect, test } from 'vitest'
import { readText } from './read-text.ts'

type Package = { integrity?: string }

// npm writes none for packages of other platforms where node_modules is there: docs/dependencies.md.
test('every package of the lock file has an integrity', () => {
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, Package>
  }
  const { '': project, ...others } = packages
  expect(project).toBeDefined()
  expect(Object.keys(others).length).toBeGreaterThan(400)
  const bare = Object.entries(others).filter(
    ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity),
  )
  expect(bare.map(([path]) => path)).toEqual([])
})
