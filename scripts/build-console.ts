// npm run build:console: the console's pages in dist/console, unless they are there already.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['src/console', 'src/client']
/** Names the sources that a folder was built from. */
const MARK = 'built.json'
const FILES = ['package-lock.json', 'scripts/build-console.ts']

// Else the pages contain what React has for developers.
Object.assign(process.env, { NODE_ENV: 'production' })
const startedAt = performance.now()
const hasBuilt = await buildConsole(join(ROOT, 'dist', 'console'))
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(hasBuilt ? `built in ${seconds} s` : 'the pages are up to date')

/** Returns whether it had to build. */
async function buildConsole(folder: string): Promise<boolean> {
  const sources = hashSources()
  if (readIfThere(join(folder, MARK)) === sources) return false
  const draft = `${folder}.${process.pid}`
  await bundle(draft)
  compressAssets(join(draft, 'assets'))
  writeFileSync(join(draft, MARK), sources)
  replaceFolder(folder, draft)
  return true
}

async function bundle(outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(ROOT, 'src', 'console'),
    base: '/console/',
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      // The first with light-dark() in style sheets.
      target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // The page's policy allows no scripts or styles but files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
}

/** Two builds at once made the same: either may be the last. */
function replaceFolder(folder: string, draft: string): void {
  rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(draft, { recursive: true })
  }
}

function hashSources(): string {
  const hash = createHash('sha256')
  const listed = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  ).sort()
  for (const path of [...listed, ...FILES.map((file) => join(ROOT, file))]) {
    hash.update(`${path.slice(ROOT.length)}\0`).update(readFileSync(path))
  }
  return `${JSON.stringify({ sources: hash.digest('hex') })}\n`
}

function compressAssets(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.woff2')) continue
    const bytes = readFileSync(join(folder, name))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
