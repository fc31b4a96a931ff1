#!/usr/bin/env node
// The tenants' command line. `npm run svc -- --help` lists what it can do.
import { text } from 'node:stream/consumers'
import { runSvc } from './run-svc.ts'

let interrupted: AbortController | undefined

function takeInterruption(): AbortSignal {
  if (interrupted) return interrupted.signal
  const controller = new AbortController()
  interrupted = controller
  // More than once: from the terminal and from npm. The first one counts, and nothing cuts off what
  // cleans up after it. A terminal that is closed sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => controller.abort(new Error('Interrupted.')))
  }
  return controller.signal
}

// Whoever read our output may stop reading (`svc … | head`): what would go on for them ends.
process.stdout.on('error', () => interrupted?.abort(new Error('Interrupted.')))
process.stderr.on('error', () => undefined)

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
