#!/usr/bin/env node
// The tenants' command line. `npm run svc -- --help` lists what it can do.
import { text } from 'node:stream/consumers'
import { runSvc } from './run-svc.ts'

let interrupted: AbortController | undefined

function takeInterruption(): AbortSignal {
  if (interrupted) return interrupted.signal
  const controller = new AbortController()
  interrupted = controller
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Error('Interrupted.')))
  }
  return controller.signal
}

const { npm_lifecycle_event: script } = process.env
process.exitCode = await runSvc(process.argv.slice(2), {
  programName: script === 'svc' ? 'npm run svc --' : 'svc',
  writeOut: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  isTerminal: process.stdout.isTTY === true,
  showsProgress: process.stderr.isTTY === true,
  readInput: () => text(process.stdin),
  env: process.env,
  takeInterruption,
})
