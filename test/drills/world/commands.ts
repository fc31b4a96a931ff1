import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CHECKOUT } from '../../support/world/service.ts'
import type { Stack } from './stack.ts'

const run = promisify(execFile)

/** `code` is undefined where a signal ended it. */
export type Ran = { code: number | undefined; output: string }

export type CommandOptions = {
  checkout?: string
  settings?: Record<string, string>
}

/** A command of the service, run as the owner of the tables: `migrate`, `encryption rotate`. */
export async function runCommand(
  stack: Stack,
  args: readonly string[],
  { checkout = CHECKOUT, settings = {} }: CommandOptions,
): Promise<Ran> {
  const env = { ...process.env, ...stack.settings, DATABASE_URL: stack.databaseUrl, ...settings }
  const script = join(checkout, 'src', 'cli.ts')
  const command = ['--disable-proto=throw', script, ...args]
  return await runProgram(process.execPath, command, { env })
}

export async function runProgram(
  program: string,
  args: readonly string[],
  { env }: { env: NodeJS.ProcessEnv },
): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(program, args, { env })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as { code: number | null; stdout?: string; stderr?: string }
    return { code: code ?? undefined, output: stdout + stderr }
  }
}
