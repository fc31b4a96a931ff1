import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'

const KNOWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const PLAYWRIGHT = join('node_modules', 'playwright-core', 'cli.js')
const INSTALL_MS = 300_000

/**
 * A Chromium of this machine, else Debian's package where it may be installed, else the download
 * of Playwright. Without any of them the tests of the console are not run; with CI=true they fail.
 */
export async function findChromium(): Promise<string | undefined> {
  const found = findInstalled() ?? (await installOnce())
  if (found !== undefined) return found
  const advice =
    'The console is not tested: there is no Chromium. Install one (apt-get install chromium, or npx playwright-core install chromium) and run npm run test:browser.'
  const { CI } = process.env
  if (CI === 'true') throw new Error(advice)
  console.warn(advice)
  return undefined
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  allowColours()
  // Pages are looked at by no one: drawing them as a GPU would is a tenth of what a test costs.
  const args = ['--disable-gpu', '--disable-software-rasterizer']
  // Chromium has no sandbox for root.
  if (process.getuid?.() === 0) args.push('--no-sandbox')
  return await chromium.launch({ executablePath, args })
}

/** Playwright colours its errors by functions whose `__proto__` it sets, which is refused here. */
function allowColours(): void {
  Object.defineProperty(Function.prototype, '__proto__', {
    configurable: true,
    set(prototype: object) {
      Object.setPrototypeOf(this, prototype)
    },
  })
}

function findInstalled(): string | undefined {
  return [...KNOWN, chromium.executablePath()].find((path) => existsSync(path))
}

/** One installation at a time: each test file asks for it. */
async function installOnce(): Promise<string | undefined> {
  const lock = join(tmpdir(), 'lending-service-chromium.lock')
  const deadline = Date.now() + INSTALL_MS
  while (!takeLock(lock) && Date.now() < deadline) await pause(500)
  try {
    const installed = findInstalled()
    if (installed !== undefined) return installed
    if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
      run('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'])
    }
    if (findInstalled() === undefined) run(process.execPath, [PLAYWRIGHT, 'install', 'chromium'])
    return findInstalled()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

function run(command: string, args: readonly string[]): void {
  spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_MS })
}
