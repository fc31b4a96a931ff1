import { spawnSync } from 'node:child_process'

/** Runs hledger over a journal; installs Debian's package where the program is missing. Throws with
 * what it printed where it fails. */
export function runHledger(journal: string, args: readonly string[]): string {
  if (spawnSync('hledger', ['--version']).error) install()
  const { status, stdout, stderr, error } = spawnSync('hledger', ['-f', '-', ...args], {
    input: journal,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return stdout
  throw new Error(`hledger ${args.join(' ')} failed: ${error?.message ?? stderr}`)
}

function install(): void {
  const packages = ['apt-get', 'install', '--yes', '--no-install-recommends', 'hledger']
  const isRoot = process.getuid?.() === 0
  for (const command of [['apt-get', 'update'], packages]) {
    const [program = '', ...args] = isRoot ? command : ['sudo', '--non-interactive', ...command]
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync(program, args, { env, stdio: 'ignore', timeout: 180_000 })
  }
}
