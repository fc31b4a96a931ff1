// npm run build:service: the API and the worker as a few files in dist/service, which the image runs.
// Tests give a folder of their own, and entries beside the two.
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = join(ROOT, 'src')

const [folder = join(ROOT, 'dist', 'service'), ...others] = process.argv.slice(2)

/** Native code, and a package that reads files beside its own. */
const EXTERNAL = ['sodium-native', 'msgpackr-extract', '@scalar/fastify-api-reference']

/** A file for each package: it is loaded when it was, and the log's stacks tell our code from it. */
const packageOf = (id: string) => {
  const [, scope = '', name = ''] = /.*\/node_modules\/(@[^/]+\/)?([^/]+)/.exec(id) ?? []
  return name === '' ? undefined : `packages-${scope.replace('/', '-')}${name}`
}

/** What a source reads from beside itself it still finds there: the image has the sources too. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(SOURCES) || !code.includes('import.meta.url')) return undefined
    const place = JSON.stringify(relative(folder, id))
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url)`)
  },
}

/** Its modules can be left out one by one. What it brings for a queue in PostgreSQL is half a MiB. */
const QUEUE = 'bullmq/dist/esm/index.js'

rmSync(folder, { recursive: true, force: true })
const build = await rolldown({
  cwd: ROOT,
  input: ['src/server.ts', 'src/worker.ts', ...others],
  platform: 'node',
  resolve: { alias: { bullmq: QUEUE } },
  treeshake: { moduleSideEffects: [{ test: /\/node_modules\/bullmq\//, sideEffects: false }] },
  external: EXTERNAL,
  preserveEntrySignatures: false,
  plugins: [keepPlaces],
})
const { output } = await build.write({
  dir: folder,
  // All in one folder, from which the places of sources are counted.
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: packageOf, test: /\/node_modules\//, debugName: 'packages' }],
  },
  // One letter that Latin-1 lacks doubles what V8 keeps of a file.
  charset: 'ascii',
  comments: false,
  // Lines and names stay: the log's stacks show them.
  minify: false,
})
console.log(`built ${output.length} files`)
