// npm run build:pages: the pages of the console in dist/console and of the desk in dist/desk, and the
// routes and types that they call the service by, unless they are there already.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** By the folder of the application: all that its pages are made of. */
const SOURCES = {
  console: ['src/console', 'src/pages', 'src/client'],
  desk: ['src/desk', 'src/pages', 'src/client'],
} as const
/** Names the sources that a folder was built from. */
const MARK = 'built.json'
const FILES = ['package-lock.json', 'scripts/build-pages.ts']
/** What the pages contain of the generated files, and what names the sources of those. */
const GENERATED = [
  'src/console/generated/console-routes.ts',
  'src/desk/generated/operator-routes.ts',
]
const GENERATED_MARK = join(ROOT, 'dist', 'generated.json')
/** No part of what the service describes itself by. */
const PAGES = /^src\/(console|desk|pages)\//

type Application = keyof typeof SOURCES

// Else the pages contain what React has for developers.
Object.assign(process.env, { NODE_ENV: 'production' })
const startedAt = performance.now()
await generateCalls()
const built: string[] = []
for (const application of ['console', 'desk'] as const) {
  if (await buildPages(application)) built.push(application)
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(
  built.length > 0 ? `built ${built.join(' and ')} in ${seconds} s` : 'the pages are up to date',
)

async function generateCalls(): Promise<void> {
  const sources = hashSources(['src', 'scripts/openapi'], PAGES)
  const isThere = GENERATED.every((path) => existsSync(join(ROOT, path)))
  if (isThere && readIfThere(GENERATED_MARK) === sources) return
  const { makeOutputs, writeOutputs } = await import('./openapi/outputs.ts')
  writeOutputs((await makeOutputs()).built)
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(GENERATED_MARK, sources)
}

/** Returns whether it had to build. */
async function buildPages(application: Application): Promise<boolean> {
  const folder = join(ROOT, 'dist', application)
  const sources = hashSources(SOURCES[application])
  if (readIfThere(join(folder, MARK)) === sources) return false
  const draft = `${folder}.${process.pid}`
  await bundle(application, draft)
  compressAssets(join(draft, 'assets'))
  writeFileSync(join(draft, MARK), sources)
  // A build beside this one made the same, and its files may be in use.
  if (readIfThere(join(folder, MARK)) === sources) rmSync(draft, { recursive: true })
  else replaceFolder(folder, draft)
  return true
}

async function bundle(application: Application, outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(ROOT, 'src', application),
    base: `/${application}/`,
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

function hashSources(folders: readonly string[], leftOut = /^$/): string {
  const hash = createHash('sha256')
  const listed = folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    .filter((path) => !leftOut.test(path.slice(ROOT.length)))
    .sort()
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
