// Deletes from the packages in a folder what no process loads: node scripts/prune-packages.ts node_modules
import { readdirSync, rmSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'

/** Maps, types, sources (Node strips no types in packages), pages, and what compiles an addon. */
const UNLOADED =
  /\.(map|tsx?|mts|cts|md|markdown|flow|c|cc|cpp|h|gyp|tsbuildinfo)$|^CMakeLists\.txt$/i
const LICENCE = /^(licen[cs]e|copying|notice|copyright)/i
/** Directly in a package. */
const FOLDERS = new Set(
  'test tests __tests__ example examples benchmark benchmarks bench doc docs .github'.split(' '),
)

const [folder = 'node_modules', platform = `${process.platform}-${process.arch}`] =
  process.argv.slice(2)
const deleted = prune(folder)
console.log(`deleted ${deleted} files and folders that no process loads`)

function prune(path: string): number {
  let count = 0
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory() && !isUnused(path, entry.name)) {
      count += prune(child)
    } else if (entry.isDirectory() || isUnloaded(entry.name)) {
      rmSync(child, { recursive: true })
      count += 1
    }
  }
  return count
}

function isUnloaded(name: string): boolean {
  return UNLOADED.test(name) && !LICENCE.test(name)
}

function isUnused(parent: string, name: string): boolean {
  if (basename(parent) === 'prebuilds') return name !== platform
  return FOLDERS.has(name) && isPackage(parent)
}

/** `node_modules/name` or `node_modules/@scope/name`, at any depth. */
function isPackage(path: string): boolean {
  const parts = relative(folder, path).split(sep)
  const own = parts.slice(parts.lastIndexOf('node_modules') + 1)
  return own[0] !== '' && own.length === (own[0]?.startsWith('@') ? 2 : 1)
}
