#!/usr/bin/env node
// The tenants' command line. `npm run svc -- --help` lists what it can do.
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { runSvc } from './run-svc.ts'

let interrupted: AbortController | undefined

function takeInterruption(): AbortSignal {
  if (interrupted) return interrupted.signal
  const controller = new AbortController()
  interrupted = controller
  // The terminal and npm may both send it; only the first counts, so cleanup is not interrupted.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => controller.abort(new Error('Interrupted.')))
  }
  return controller.signal
}

let cutOff: number | undefined

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader stopped reading (`svc events | head -1`), which is no failure.
  cutOff ??= code === 'EPIPE' ? 0 : 1
  if (cutOff !== 0) process.stderr.write(`The output cannot be written: ${message}\n`)
  interrupted?.abort(new Error('Interrupted.'))
})
process.stderr.on('error', () => undefined)

/** Of the installed package or of the checkout. */
function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    const file = new URL(path, import.meta.url)
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version
  }
  throw new Error('svc has no package.json beside it.')
}

const { npm_lifecycle_event: script } = process.env
const exitCode = await runSvc(process.argv.slice(2), {
  version: readVersion(),
  programName: script === 'svc' ? 'npm run svc --' : 'svc',
  writeOut: (output) => process.stdout.write(output),
  writeError: (output) => void (cutOff === undefined && process.stderr.write(output)),
  isTerminal: process.stdout.isTTY === true,
  showsProgress: process.stderr.isTTY === true,
  readInput: () => text(process.stdin),
  env: process.env,
  takeInterruption,
})
process.exitCode = cutOff ?? exitCode
