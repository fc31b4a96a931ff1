// npm run build:console: the console's pages in dist/console, unless they are there already.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['src/console', 'src/client']
const FILES = ['package-lock.json', 'scripts/build-console.ts']

/** Returns whether it had to build. */
export async function buildConsole(folder = join(ROOT, 'dist', 'console')): Promise<boolean> {
  const sources = hashSources()
  if (readIfThere(join(folder, 'built.json')) === sources) return false
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(ROOT, 'src', 'console'),
    base: '/console/',
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      // The first with light-dark() in style sheets.
      target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
      // The page's policy allows no scripts or styles but files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  compressAssets(join(folder, 'assets'))
  // Last, so that an interrupted build is repeated.
  writeFileSync(join(folder, 'built.json'), sources)
  return true
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

if (import.meta.main) {
  const startedAt = performance.now()
  const hasBuilt = await buildConsole()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(hasBuilt ? `Built dist/console in ${seconds} s` : 'dist/console is up to date')
}
