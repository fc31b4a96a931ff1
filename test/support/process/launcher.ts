import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export type Launcher = AsyncDisposable & {
  process: ChildProcess
  /** All of standard output, once it ended. */
  output: Promise<string>
  errors: Promise<string>
  exitCode: Promise<number | null>
}

/** Runs the launcher behind `npm start` with these variables; stops it when disposed. */
export function runLauncher(env: NodeJS.ProcessEnv): Launcher {
  const child = spawn(process.execPath, ['src/local.ts'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  return {
    process: child,
    output: text(child.stdout),
    errors: text(child.stderr),
    exitCode: ended.then(([code]) => code),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
