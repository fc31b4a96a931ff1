import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** These variables, and of this process's own what finds programs and what is compiled already. */
export function processEnvironment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE, ...env }
}

/** Starts `src/<entry>.ts` with these variables alone. */
export function startEntry(entry: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--disable-proto=throw', `src/${entry}.ts`], {
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
export async function runEntry(entry: string, env: Record<string, string>) {
  const { errors, ended } = startEntry(entry, env)
  const [exitCode] = await ended
  return { exitCode, errors: await errors }
}
