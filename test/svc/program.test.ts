import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { inTransaction } from '../../src/db/database.ts'
import { appendEvents } from '../../src/domain/events/append/append.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { createSvc } from './svc-program.ts'

let api: TestApi
let svc: ReturnType<typeof createSvc>
beforeAll(async () => {
  api = await startTestApi()
  svc = createSvc(api)
})
afterAll(async () => {
  svc[Symbol.dispose]()
  await api[Symbol.asyncDispose]()
})

type Ended = { exitCode: number | null; signal: string | null; errors: string }

/** The program itself; `read` reads as much of its output as it wants. */
async function start(
  argv: readonly string[],
  read: (output: NonNullable<ChildProcess['stdout']>) => Promise<unknown>,
): Promise<Ended> {
  const program = spawn(process.execPath, ['src/svc/svc.ts', ...argv], {
    env: { ...process.env, LOCAL_DIR: svc.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(program, 'exit')
  const errors = text(program.stderr)
  await read(program.stdout)
  program.stdout.destroy()
  const [exitCode, signal] = await ended
  return { exitCode, signal, errors: await errors }
}

const WELL = { exitCode: 0, signal: null, errors: '' }
const firstChunk = (output: NonNullable<ChildProcess['stdout']>) => once(output, 'data')
const nothing = async () => undefined

describe('a reader that has seen enough is no error', () => {
  test('a reader that closes the output of a log of several pages is no error', async () => {
    const occurredAt = new Date()
    const events = Array.from({ length: 1_200 }, () => {
      const id = newId('bor')
      const data = { borrower_id: id }
      return {
        type: 'borrower.eligible',
        resource: { type: 'borrower', id },
        occurredAt,
        data,
      } as const
    })
    await inTransaction(api.db, (tx) => appendEvents(tx, api.tenant.id, events))
    expect(await start(['events', '--json'], firstChunk)).toEqual(WELL)
  })

  test.each([
    ['before anything is written', ['webhooks', '--json'], nothing],
    ['in the middle of a story', ['story', 'loan', '--json'], firstChunk],
  ])('a reader that closes the output %s is no error', async (_, argv, read) => {
    expect(await start(argv, read)).toEqual(WELL)
  })
})

test('a refusal is reported though its output is not read', async () => {
  const ended = await start(['webhooks', 'show', 'whk_none', '--json'], nothing)
  expect(ended.exitCode).toBe(1)
  expect(JSON.parse(ended.errors).error.code).toBe('not_found')
})

test('svc --version prints the version of its package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  let printed = ''
  const ended = await start(['--version'], async (output) => {
    printed = await text(output)
  })
  expect([ended, printed]).toEqual([WELL, `${version}\n`])
})
