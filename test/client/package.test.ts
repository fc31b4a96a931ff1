import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { keyId, privateKeyPem, startStubService } from './stub-service.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const modules = join(root, 'node_modules')
const TSC = [join(modules, 'typescript/bin/tsc'), join(modules, 'typescript-5/bin/tsc')]

/** Compilers and npm, on a machine that has more to do. */
const PATIENCE_MS = 120_000
vi.setConfig({ testTimeout: PATIENCE_MS })

const USE = `
import { createClient, ProblemError, verifyWebhook } from 'lending-service'
import { createClient as sameClient } from 'lending-service/client'
const { BASE_URL: baseUrl, KEY_ID: keyId, PRIVATE_KEY: privateKeyPem } = process.env
const client = createClient({ baseUrl, keyId, privateKeyPem })
const verdict = verifyWebhook({ rawBody: '', headers: {}, secret: 'whsec_x', now: new Date() })
const [{ id }] = await client.listWebhooks()
const refusal = await client.getWebhook('whk_2').catch((error) => error)
const answers = [verdict.reason, id, refusal instanceof ProblemError, refusal.code]
console.log(JSON.stringify([...answers, createClient === sameClient]))
`

const TYPED_USE = `
import { type Borrower, createClient, ProblemError, verifyWebhook } from 'lending-service'
export { createClient as sameClient } from 'lending-service/client'
const client = createClient({ baseUrl: 'x', keyId: 'key_x', privateKeyPem: 'x' })
const borrower: Promise<Borrower> = client.createBorrower({
  type: 'individual', kyc_attested: true, residency_country: 'DE',
})
// @ts-expect-error it is no type of borrower
client.createBorrower({ type: 'dog', kyc_attested: true, residency_country: 'DE' })
for await (const { outstanding } of client.listFacilities({ state: 'APPROVED' })) {
  const total: string = outstanding.total
}
const verdict = verifyWebhook({ rawBody: '', headers: new Headers(), secret: 'x', now: new Date() })
if (verdict.ok) verdict.event.sequence.toFixed()
const error: unknown = undefined
if (error instanceof ProblemError && error.is('scope_missing')) error.members.required_scope.trim()
export { borrower }
`

let folder: ReturnType<typeof createTemporaryFolder>
let archive: string
beforeAll(async () => {
  folder = createTemporaryFolder()
  await run(process.execPath, ['scripts/build-client.ts'], { cwd: root })
  const npm = ['pack', './dist', '--silent', '--pack-destination', folder.path]
  const { stdout } = await run('npm', npm, { cwd: root })
  archive = join(folder.path, stdout.trim().split('\n').at(-1) ?? '')
  // What it depends on is there already: npm installs the file and asks no registry.
  for (const name of ['@noble', 'commander']) {
    const [from, to] = [join(modules, name), join(folder.path, 'node_modules', name)]
    cpSync(from, to, { recursive: true })
  }
  const install = ['install', '--offline', '--silent', archive]
  await run('npm', install, { cwd: folder.path })
}, PATIENCE_MS)
afterAll(() => folder[Symbol.dispose]())

test('the packed client runs in plain Node, from JavaScript', async () => {
  await using stub = await startStubService([
    { status: 200, body: '{"items":[{"id":"whk_1"}]}' },
    { status: 404, body: '{"code":"not_found"}' },
  ])
  writeFileSync(join(folder.path, 'use.mjs'), USE)
  const env = { BASE_URL: stub.baseUrl, KEY_ID: keyId, PRIVATE_KEY: privateKeyPem }
  const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder.path, env })
  expect(JSON.parse(stdout)).toEqual(['missing_signature', 'whk_1', true, 'not_found', true])
  expect(stub.requests.every((request) => request.signatureHolds)).toBe(true)
})

test.each(TSC)(
  'the types of the packed client are valid for a consumer who compiles with %s',
  async (tsc) => {
    writeFileSync(join(folder.path, 'use.mts'), TYPED_USE)
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2024,dom']
    const compiled = run(process.execPath, [tsc, ...options, 'use.mts'], {
      cwd: folder.path,
    }).catch((error: { stdout: string }) => error)
    expect((await compiled).stdout).toBe('')
  },
)

test('the command line of the packed client runs as a program', async () => {
  const svc = join(folder.path, 'node_modules/lending-service/svc/svc.js')
  const { stdout } = await run(svc, ['--help'], { cwd: folder.path })
  expect(stdout).toContain('Usage: svc')
  const refused = run(svc, ['webhooks', '--text'], { cwd: folder.path, env: {} })
  await expect(refused).rejects.toMatchObject({ code: 2, stdout: '' })
})

test('the package requires the Node version that its dependencies require', () => {
  const installed = join(folder.path, 'node_modules/lending-service')
  const { dependencies, engines } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  )
  const asked = Object.keys(dependencies).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))
    return manifest.engines === undefined ? [] : [manifest.engines.node.replace(/\s/g, '')]
  })
  const byVersion = new Intl.Collator('en', { numeric: true })
  expect(engines).toEqual({ node: asked.sort(byVersion.compare).at(-1) })
})

test('the version of the package is that of the OpenAPI document', () => {
  const installed = join(folder.path, 'node_modules/lending-service')
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const { info } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  expect(version).toBe(info.version)
})

test('the file that the page installs is the one that npm pack makes', () => {
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
  expect(page).toContain(`npm install ./${basename(archive)}`)
})

test('programs in the checkout import the sources under the name of the package', async () => {
  const { createClient } = await import('lending-service')
  const sources = await import('../../src/client/index.ts')
  expect(createClient).toBe(sources.createClient)
})

test('the package contains and requires nothing of the server', () => {
  const installed = join(folder.path, 'node_modules/lending-service')
  const held = ['README.md', 'client', 'command-line', 'package.json', 'svc']
  expect(readdirSync(installed).sort()).toEqual(held)
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const needed = ['@noble/ed25519', '@noble/hashes', 'commander']
  expect(Object.keys(dependencies)).toEqual(needed)
  expect(Object.values(dependencies)).toEqual(needed.map(() => expect.stringMatching(/^\d/)))
})
