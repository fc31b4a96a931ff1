// npm run release X.Y.Z: gives the version to everything that carries it, heads the changes of CHANGELOG.md with it,
// and keeps openapi.json as released/openapi.json, which later changes are compared with. It commits nothing.
import { fileURLToPath } from 'node:url'
import { release } from './released/release.ts'

const [version = ''] = process.argv.slice(2)
try {
  release(fileURLToPath(new URL('..', import.meta.url)), version, new Date())
  console.log(
    `Ready. Now: git add --all && git commit --message 'release: ${version}' && git tag v${version}`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
