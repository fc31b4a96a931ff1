import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { databaseForFile } from '../support/stores/database.ts'
import { conformance } from './conformance.ts'
import { GO, installPython, MISSING, PYTHON, run } from './languages.ts'

const database = databaseForFile()

/** The first block of a page in that language. */
function readBlock(page: string, language: string): string {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const [, block = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(text) ?? []
  expect(block).not.toBe('')
  return block
}

const environment = () => ({
  ...process.env,
  DATABASE_URL: database.url,
  BASE_URL: 'http://127.0.0.1:1',
  KEY_ID: conformance.key.id,
  PRIVATE_KEY_PEM: conformance.key.pkcs8_pem,
  WEBHOOK_ID: 'whk_1',
  WEBHOOK_SECRETS: `${conformance.secret},whsec_old`,
})

test('the program of the TypeScript guide starts', () => {
  const program = readBlock('inbox.md', 'ts')
    .replace('.listen(9000)', ".listen(0, () => console.log('listening'))")
    .replace('new AbortController().signal', 'AbortSignal.timeout(300)')
  const end = 'console.log(await inbox.appliedSequence())\nprocess.exit()'
  const args = ['--input-type=module-typescript', '--eval', `${program}\n${end}`]
  expect(run(process.execPath, args, { env: environment() })).toMatch(/listening[\s\S]*\n0\n/)
})

test.skipIf(MISSING.python)('the program of the Python guide starts', () => {
  const program = `${readBlock('inbox-python.md', 'python')}\nprint(type(app).__name__, inbox.applied_sequence())`
  const python = installPython()
  expect(run(python, ['-c', program], { env: environment() })).toMatch(/^AsgiReceiver 0$/m)
  expect(readBlock('inbox-python.md', 'sh')).toBe("pip install './clients/python[postgres]'\n")
  expect(readFileSync(join(PYTHON, 'README.md'), 'utf8')).toContain(
    readBlock('inbox-python.md', 'sh'),
  )
})

test.skipIf(MISSING.go)(
  'the Go client is installed as its guide says, and the program of the guide is sound',
  { timeout: LONG_SCENARIO_MS },
  () => {
    using folder = createTemporaryFolder()
    const cwd = folder.path
    writeFileSync(join(cwd, 'go.mod'), 'module example\n\ngo 1.24\n')
    writeFileSync(join(cwd, 'main.go'), readBlock('inbox-go.md', 'go'))
    mkdirSync(join(cwd, 'clients'))
    cpSync(GO, join(cwd, 'clients', 'go'), { recursive: true })
    run('sh', ['-ec', readBlock('inbox-go.md', 'sh')], { cwd })
    expect(run('go', ['vet', '.'], { cwd })).toBe('')
  },
)
