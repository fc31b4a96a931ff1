import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules', '.cache')

export const PYTHON = join(ROOT, 'clients', 'python')
export const GO = join(ROOT, 'clients', 'go')

const isFound = (tool: string, ...args: string[]) => spawnSync(tool, args).status === 0

const AT_LEAST = 'import sys; sys.exit(sys.version_info < (3, 11))'

/** What is missing for the tests of a language; undefined where nothing is. */
export const MISSING: Readonly<Record<'typescript' | 'python' | 'go', string | undefined>> = {
  typescript: undefined,
  python: isFound('python3', '-c', AT_LEAST) ? undefined : 'Python 3.11 or later',
  go: isFound('go', 'version') ? undefined : 'Go',
}

export type Language = keyof typeof MISSING

/** Runs a program to its end; throws with what it printed where it fails. */
export function run(
  tool: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const result = spawnSync(tool, args, { encoding: 'utf8', ...options })
  if (result.status === 0) return `${result.stdout}${result.stderr}`
  const printed = `${result.error?.message ?? ''}${result.stdout}${result.stderr}`
  throw new Error(`${tool} ${args.join(' ')}\n${printed.slice(-6_000)}`)
}

/** The Python of an environment in which the client is installed as its users install it. */
export function installPython(): string {
  const environment = join(CACHE, `clients-python-${hashOf(PYTHON, 'src', 'pyproject.toml')}`)
  const python = join(environment, 'bin', 'python')
  if (existsSync(join(environment, 'installed'))) return python
  mkdirSync(CACHE, { recursive: true })
  run('python3', ['-m', 'venv', '--clear', environment])
  run(python, ['-m', 'pip', 'install', '--quiet', `${PYTHON}[postgres]`])
  // What pip builds beside the sources is nobody's.
  for (const made of ['build', 'src/lending_service.egg-info']) {
    rmSync(join(PYTHON, made), { recursive: true, force: true })
  }
  writeFileSync(join(environment, 'installed'), '')
  return python
}

/** The receiver of the seeds, built. */
export function buildGoReceiver(): string {
  const binary = join(CACHE, 'clients-go-receiver')
  run('go', ['build', '-o', binary, './receiver'], { cwd: join(GO, 'tests') })
  return binary
}

/** How the receiver of each language is started. */
export function receiverCommand(language: Language): [string, ...string[]] {
  switch (language) {
    case 'typescript':
      return [process.execPath, join(ROOT, 'test', 'clients', 'receiver.ts')]
    case 'python':
      return [installPython(), join(PYTHON, 'tests', 'receiver.py')]
    case 'go':
      return [buildGoReceiver()]
    default: {
      const unreachable: never = language
      return unreachable
    }
  }
}

function hashOf(folder: string, ...names: string[]): string {
  const hash = createHash('sha256')
  for (const name of names) {
    const path = join(folder, name)
    const files = name.includes('.')
      ? [path]
      : readdirSync(path, { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.(py|sql|typed)$/.test(file))
          .sort()
          .map((file) => join(path, file))
    for (const file of files) hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}
