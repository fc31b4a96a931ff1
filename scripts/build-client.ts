// npm run build:client: the tenants' package in dist, the client library and svc, for npm pack.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const DIST = 'dist'
const NEEDED = ['@noble/ed25519', '@noble/hashes', 'commander'] as const

type Manifest = { name: string; version: string; license: string; dependencies: object }

// The console's pages are built beside it, and are no part of the package.
for (const folder of ['client', 'command-line', 'svc']) {
  rmSync(join(DIST, folder), { recursive: true, force: true })
}
// The command line first: the client's declarations must be those without Node's types.
for (const project of ['tsconfig.svc.json', 'tsconfig.client.json']) {
  const { status } = spawnSync('tsc', ['--project', project], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
chmodSync(join(DIST, 'svc', 'svc.js'), 0o755)
copyFileSync('docs/client.md', join(DIST, 'README.md'))
// Whole at any time: programs that are built beside it read the nearest package.json.
const draft = join(DIST, `package.json.${process.pid}`)
writeFileSync(draft, `${JSON.stringify(describePackage(), null, 2)}\n`)
renameSync(draft, join(DIST, 'package.json'))

function describePackage(): object {
  const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const { name, version, license } = manifest
  const versions = new Map(Object.entries(manifest.dependencies))
  const client = { types: './client/index.d.ts', default: './client/index.js' }
  return {
    name,
    version,
    description: 'The client library of the lending service, and the command line svc.',
    license,
    type: 'module',
    sideEffects: false,
    // As commander requires; the package's test fails when a dependency requires more.
    engines: { node: '>=22.12.0' },
    exports: {
      '.': client,
      './client': client,
      './package.json': './package.json',
    },
    bin: { svc: './svc/svc.js' },
    files: ['client', 'command-line', 'svc'],
    dependencies: Object.fromEntries(
      NEEDED.map((dependency) => [dependency, versions.get(dependency)]),
    ),
  }
}
