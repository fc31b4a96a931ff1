// The entry of every npm script: installs what is missing, then runs the command under the Node
// of package.json, whatever Node npm itself runs on. Only Node's own modules, and nothing newer
// than Node 20, because this file runs before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const binFolder = join(root, 'node_modules', '.bin')
const nodeBinary = join(root, 'node_modules', 'node', 'bin', 'node')

// No object's prototype can be reached, or replaced, through data that names `__proto__`.
const nodeFlags = ['--disable-proto=throw']

// Node keeps here what it has compiled, so that each process of ours starts in half the time.
const compileCache = join(root, 'node_modules', '.cache', 'node')

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Usage: node scripts/run.mjs <command> [args…]')
  process.exit(2)
}
try {
  await ensureDependencies()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
const isScript = /\.(ts|mjs)$/.test(command)
process.exit(
  isScript
    ? await run(nodeBinary, [...nodeFlags, command, ...args])
    : await run(join(binFolder, command), args),
)

/**
 * Installs unless node_modules already is the tree of package-lock.json. `npm install --no-save`
 * installs that tree and leaves the lockfile alone, as `npm ci` does, but without first deleting
 * the Node and the packages that other terminals may be running from.
 */
async function ensureDependencies() {
  if (isInstalled()) return
  const unlock = await lockInstallation()
  try {
    if (isInstalled()) return
    console.error('Installing dependencies…')
    // Not our own Node, which npm may have put first on the path: it may be about to be replaced.
    const node = process.env.npm_node_execpath ?? process.execPath
    const options = ['install', '--no-save', '--include=dev', '--loglevel=error', '--no-progress']
    // Where pnpm or yarn runs the script, it stands there, and knows nothing of package-lock.json.
    const given = process.env.npm_execpath ?? ''
    const npm = basename(given) === 'npm-cli.js' ? given : undefined
    const code = npm ? await run(node, [npm, ...options], 2) : await run('npm', options, 2)
    if (code !== 0) throw new Error(`npm install failed with exit code ${code}: see above.`)
  } finally {
    unlock()
  }
  if (!isInstalled()) {
    throw new Error(
      'npm install left node_modules incomplete. Where ignore-scripts is set, run this once: npm install --no-save --ignore-scripts=false',
    )
  }
}

/** npm writes node_modules/.package-lock.json last, so a tree that was interrupted never matches. */
function isInstalled() {
  if (!existsSync(nodeBinary)) return false
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = present[path]
    if (path === '' || (found === undefined && optional)) return true
    // Binaries of the platforms that this lockfile was not made on stand in it without a checksum.
    const isSame = integrity === undefined || found?.integrity === integrity
    return found?.version === version && isSame
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** One installation at a time per clone; resolves to the function that lets the next one in. */
async function lockInstallation() {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `lending-service-install-${name}.lock`)
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    for (let waited = 0; ; waited += 1) {
      try {
        // A hard link appears with its content or not at all.
        linkSync(mine, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      if (waited === 0) console.error('Waiting for another installation of this clone…')
      if (waited > 1200) throw new Error(`Still locked after 10 minutes: remove ${lock}.`)
      if (!isHolderAlive(lock)) rmSync(lock, { force: true })
      await pause(500)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function isHolderAlive(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** No proxy leads to this machine, which NODE_USE_ENV_PROXY would otherwise ask for the stack of npm start. */
function withoutProxyHere({ no_proxy: lower, NO_PROXY: upper = '' }) {
  const list = [lower ?? upper, 'localhost,127.0.0.1,::1'].filter((part) => part !== '').join(',')
  return { no_proxy: list, NO_PROXY: list }
}

/** Runs a program with our Node first on the path; resolves to its exit code, shell style. */
function run(program, programArgs, stdout = 1) {
  const child = spawn(program, programArgs, {
    cwd: root,
    stdio: [0, stdout, 2],
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...process.env,
      ...withoutProxyHere(process.env),
      PATH: [binFolder, process.env.PATH].join(delimiter),
    },
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // On a terminal, Ctrl-C reaches the whole process group: passing it on would deliver it twice.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  // A shell between npm and us may die of a signal without passing it on.
  const parent = process.ppid
  const orphaned = setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500)
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`Cannot run ${program}: ${error.message}`)
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      clearInterval(orphaned)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}
