import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CHECKOUT, type Stack } from './stack.ts'

const run = promisify(execFile)

export type Ran = { code: number; output: string }

/** A command of the service, run as the owner of the tables: `migrate`, `encryption rotate`. */
export async function runCommand(
  stack: Stack,
  args: readonly string[],
  { checkout = CHECKOUT, settings = {} }: { checkout?: string; settings?: Record<string, string> },
): Promise<Ran> {
  const env = { ...process.env, ...stack.settings, DATABASE_URL: stack.databaseUrl, ...settings }
  const script = join(checkout, 'src', 'cli.ts')
  return await runProgram(process.execPath, ['--disable-proto=throw', script, ...args], env)
}

export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(program, args, { env })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as { code: number; stdout?: string; stderr?: string }
    return { code, output: stdout + stderr }
  }
}
