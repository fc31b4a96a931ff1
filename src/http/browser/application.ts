import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../static-file.ts'
import { pagePolicy } from './security-headers.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** In index.html: replaced in each answer by the nonce of its policy. */
const NONCE_MARK = '%CSP_NONCE%'

/** The built application: `assets/` with hashed names, and index.html for every other path. One that is built
 * later, or again, is served from then on. */
export function serveApplication(
  app: FastifyInstance,
  { name, folder }: { name: string; folder: string },
): void {
  const schema = { hide: true }
  let built = readBuild(folder, undefined)

  app.get('/assets/*', { schema }, (request, reply) => {
    const { '*': name = '' } = request.params as { '*'?: string }
    // Another process may have sent the page of a newer build.
    if (!built?.assets.has(name)) built = readBuild(folder, built)
    const file = built?.assets.get(name)
    if (!file) throw new Refusal('not_found', `${name} has no such file.`)
    return sendStaticFile(request, reply, file, 'immutable')
  })
  for (const path of ['/', '/*']) {
    app.get(path, { schema }, async (_request, reply) => {
      built = readBuild(folder, built)
      reply.type(TYPES['.html'] ?? '')
      if (!built) {
        reply.code(503).headers({ refresh: ASK_AGAIN_SECONDS, 'retry-after': ASK_AGAIN_SECONDS })
        return notBuilt(name, folder)
      }
      const nonce = randomBytes(16).toString('base64')
      reply.header('content-security-policy', pagePolicy(nonce))
      return built.page.replaceAll(NONCE_MARK, nonce)
    })
  }
}

const ASK_AGAIN_SECONDS = 2

const notBuilt = (name: string, folder: string) => `<!doctype html>
<html lang="en">
<title>Not built yet</title>
<p>${name} is not built yet: ${folder} has no index.html. <code>npm start</code> builds it, and this page then
loads by itself. Elsewhere run <code>npm run build:pages</code>.</p>
</html>
`

type Build = { page: string; assets: ReadonlyMap<string, StaticFile> }

/** `known` where nothing has changed since; undefined where nothing was built. */
function readBuild(folder: string, known: Build | undefined): Build | undefined {
  const page = readIfThere(join(folder, 'index.html'))?.toString()
  if (page === undefined || page === known?.page) return known
  const names = readdirSync(join(folder, 'assets'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'assets/').length))
  const assets = names
    .filter((name) => !/\.(br|gz)$/.test(name))
    .map((name) => [name.replaceAll('\\', '/'), readAsset(join(folder, 'assets', name))] as const)
  return { page, assets: new Map(assets) }
}

/** With the compressed files beside it. */
function readAsset(path: string): StaticFile {
  const beside = [
    ['br', readIfThere(`${path}.br`)],
    ['gzip', readIfThere(`${path}.gz`)],
  ] as const
  const compressed = beside.flatMap(([encoding, bytes]) =>
    bytes ? [[encoding, bytes] as const] : [],
  )
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  return createStaticFile(type, readFileSync(path), new Map(compressed))
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
