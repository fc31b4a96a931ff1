import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSvc } from '../../src/svc/run-svc.ts'
import type { SvcIo } from '../../src/svc/svc-io.ts'
import type { TestApi, TestTenant } from '../support/api/api.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

export type RunOptions = Partial<
  Pick<SvcIo, 'env' | 'isTerminal' | 'showsProgress' | 'takeInterruption'>
> & {
  input?: string
}

type Result = { exitCode: number; out: string; err: string }

/** Runs `svc` as the program would run it. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Result> {
  const { io, written } = createIo(options)
  const exitCode = await runSvc(argv, io)
  return { exitCode, ...written }
}

/** `svc` with the credentials of the API's tenant in a folder, as npm start leaves them. */
export function createSvc({ baseUrl, tenant }: TestApi) {
  const folder = createTemporaryFolder()
  writeCredentials(join(folder.path, 'sandbox.json'), baseUrl, tenant)
  const env = { LOCAL_DIR: folder.path }
  const svc = (argv: readonly string[], options: RunOptions = {}) =>
    run(argv, { ...options, env: { ...env, ...options.env } })
  return {
    folder: folder.path,
    run: svc,
    /** What a command that succeeds prints for programs. */
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
    async read(...argv: string[]): Promise<any> {
      const { exitCode, out, err } = await svc(argv)
      if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${exitCode} ${err}`)
      return JSON.parse(out)
    },
    /** Starts a command that goes on until `stop`. */
    start(argv: readonly string[], options: RunOptions = {}) {
      const controller = new AbortController()
      const { io, written } = createIo({
        ...options,
        env: { ...env, ...options.env },
        takeInterruption: () => controller.signal,
      })
      const ended = runSvc(argv, io)
      return {
        ended,
        // biome-ignore lint/suspicious/noExplicitAny: tests read lines of every shape.
        lines: (): any[] =>
          written.out
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        /** The first line of JSON that `matches`. */
        // biome-ignore lint/suspicious/noExplicitAny: tests read lines of every shape.
        async waitForLine(matches: (line: any) => boolean): Promise<any> {
          return await waitFor(() => {
            const found = this.lines().find(matches)
            if (!found) throw new Error(`Not among: ${written.out} ${written.err}`)
            return found
          })
        },
        stop() {
          controller.abort(new Error('Interrupted.'))
          return ended
        },
      }
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** A tenant for stories, with its credentials where npm start leaves them. */
export async function addStories(svc: { folder: string }, api: TestApi): Promise<TestTenant> {
  const tenant = await api.addTenant()
  writeCredentials(join(svc.folder, 'stories.json'), api.baseUrl, tenant)
  return tenant
}

function writeCredentials(file: string, baseUrl: string, { keyId, privateKeyPem }: TestTenant) {
  const credentials = { base_url: baseUrl, key_id: keyId, private_key_pem: privateKeyPem }
  writeFileSync(file, JSON.stringify(credentials))
}

function createIo({ input = '', ...options }: RunOptions) {
  const written = { out: '', err: '' }
  const io: SvcIo = {
    programName: 'svc',
    version: '1.2.3',
    isTerminal: false,
    showsProgress: false,
    env: {},
    takeInterruption: () => new AbortController().signal,
    writeOut(text) {
      written.out += text
    },
    writeError(text) {
      written.err += text
    },
    readInput: async () => input,
    ...options,
  }
  return { io, written }
}
