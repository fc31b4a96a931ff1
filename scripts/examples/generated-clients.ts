import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { printTypes } from '../openapi/generate-types.ts'

const DOCUMENT = resolve('openapi.json')
const PROGRAMS = resolve('scripts/examples/generated')
const BIN = resolve('node_modules/.bin')

type Generator = {
  name: string
  /** What it takes; where one is missing, the generator is not run. */
  needs: readonly string[]
  howTo: string
  run: (folder: string) => string | Promise<string>
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    needs: [],
    howTo: '',
    async run(folder) {
      copy(folder, 'sign.ts', 'mutate-types.ts')
      mkdirSync(join(folder, 'client'))
      const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
      writeFileSync(join(folder, 'client/types.ts'), await printTypes(document))
      return runTypescript(folder, 'mutate-types')
    },
  },
  {
    name: 'openapi-generator typescript-fetch',
    needs: ['java', 'npx'],
    howTo: 'install Java 11 or later',
    run(folder) {
      copy(folder, 'sign.ts', 'mutate-fetch.ts')
      const cli = '@openapitools/openapi-generator-cli@2'
      const options = ['-g', 'typescript-fetch', '-i', DOCUMENT, '-o', 'client']
      run(folder, 'npx', '--yes', cli, 'generate', ...options)
      return runTypescript(folder, 'mutate-fetch')
    },
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    howTo: 'install Python 3.10 or later with venv',
    run(folder) {
      copy(folder, 'mutate.py')
      run(folder, 'python3', '-m', 'venv', 'env')
      const tool = (name: string) => join(folder, 'env', 'bin', name)
      run(folder, tool('pip'), 'install', '-q', 'openapi-python-client', 'cryptography')
      const options = ['--path', DOCUMENT, '--output-path', 'client']
      run(folder, tool('openapi-python-client'), 'generate', ...options)
      run(folder, tool('python'), '-m', 'compileall', '-q', 'client')
      return run(folder, 'env', 'PYTHONPATH=client', tool('python'), 'mutate.py')
    },
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    howTo: 'install Go 1.24 or later',
    run(folder) {
      copy(folder, 'mutate.go')
      writeFileSync(join(folder, 'go.mod'), 'module example\n\ngo 1.24\n')
      const command = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest'
      // What webhooks alone use is pruned otherwise.
      const made = ['-generate', 'types,client,skip-prune', '-package', 'main']
      const options = [...made, '-o', 'client.go', DOCUMENT]
      run(folder, 'go', 'run', command, ...options)
      run(folder, 'go', 'mod', 'tidy')
      return run(folder, 'go', 'run', '.')
    },
  },
]

/**
 * Has each generator make a client of openapi.json, compiles it, and sends one signed mutation with it
 * to the running sandbox. What is generated is thrown away.
 */
export async function checkGeneratedClients(): Promise<void> {
  for (const { name, needs, howTo, run: make } of GENERATORS) {
    const missing = needs.find((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
    if (missing !== undefined) {
      console.log(`Generated   ${name} was not run: ${missing} is missing; ${howTo}`)
      continue
    }
    const folder = mkdtempSync(join(tmpdir(), 'generated-'))
    try {
      const borrowerId = (await make(folder)).trim().split('\n').at(-1)
      if (!/^bor_[0-9a-z]{26}$/.test(borrowerId ?? '')) throw new Error(`${name}: ${borrowerId}`)
      console.log(`Generated   ${name} made a client that created a borrower`)
    } finally {
      // Go keeps what it has downloaded read-only elsewhere; here all is ours.
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Here the import of the generated client must fail to compile; beside that client it must not. */
const EXPECTED_ERROR = /^\/\/ @ts-expect-error.*\n/gm

function copy(folder: string, ...names: string[]): void {
  for (const name of names) {
    const program = readFileSync(join(PROGRAMS, name), 'utf8')
    writeFileSync(join(folder, name), program.replace(EXPECTED_ERROR, ''))
  }
}

/** Types first, strictly; then bundled, because generated imports name no file endings. */
function runTypescript(folder: string, program: string): string {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, target: 'es2024', module: 'esnext' },
        ...{
          moduleResolution: 'bundler',
          allowImportingTsExtensions: true,
          lib: ['es2024', 'dom', 'dom.iterable'],
        },
        ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
      },
      files: [`${program}.ts`],
    }),
  )
  run(folder, join(BIN, 'tsc'), '-p', '.')
  run(folder, join(BIN, 'rolldown'), `${program}.ts`, '--platform', 'node', '-o', `${program}.mjs`)
  return run(folder, 'node', `${program}.mjs`)
}

function run(cwd: string, tool: string, ...args: string[]): string {
  const { LOCAL_DIR = '.local' } = process.env
  const env = { ...process.env, LOCAL_DIR: resolve(LOCAL_DIR) }
  const result = spawnSync(tool, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (result.status === 0) return result.stdout
  const output = `${result.stdout}${result.stderr}`.slice(-4_000)
  throw new Error(`${tool} ${args.join(' ')}\n${result.error?.message ?? output}`)
}
