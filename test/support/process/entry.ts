import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { builtEntry } from './built-service.ts'

type Entry = 'server' | 'worker'

/** These variables, and of this process's own what finds programs and what is compiled already. */
export function processEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE, ...env }
}

/** Starts the API or the worker, as it is built, with these variables alone. */
export function startEntry(entry: Entry, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--disable-proto=throw', builtEntry(entry)], {
    env: processEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return {
    process: child,
    output: text(child.stdout),
    errors: text(child.stderr),
    ended: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  }
}

/** Runs it to its end. */
export async function runEntry(entry: Entry, env: Record<string, string>) {
  const { errors, ended } = startEntry(entry, env)
  const [exitCode] = await ended
  return { exitCode, errors: await errors }
}
