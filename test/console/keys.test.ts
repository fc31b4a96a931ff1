import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { SCOPE_SENTENCES } from '../../src/core/scopes.ts'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { signIn } from '../support/api/console.ts'
import { addAuthenticator, type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const run = promisify(execFile)

await describeInBrowser('keys and passkeys', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let authenticator: Awaited<ReturnType<typeof addAuthenticator>>
  const sent: string[] = []
  beforeAll(async () => {
    ;({ api, browser } = started)
    context = await browser.newContext({ acceptDownloads: true })
    page = await context.newPage()
    page.on('request', (request) => {
      sent.push(`${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData()}`)
    })
    authenticator = await addAuthenticator(context, page)
    await signInByLink(page, api)
  })

  test('a link signs in once, and leaves no token in the address', async () => {
    expect(page.url()).toBe(`${api.origin}/console/`)
    const cookies = await context.cookies()
    expect(cookies).toMatchObject([
      { name: '__Host-console', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' },
    ])
  })

  test('a passkey is added, and signs in after signing out', async () => {
    await page.goto(`${api.origin}/console/passkeys`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: /^Remove / }).waitFor()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Passkeys', level: 1 }).waitFor()
  })

  test('another passkey is added on a second device, once the first has agreed', async () => {
    await page.route('**/console/api/passkeys/options', async (route) => {
      const answer = await route.fetch()
      if (answer.ok()) await authenticator.replace()
      await route.fulfill({ response: answer })
    })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(2)
    await page.unroute('**/console/api/passkeys/options')
    expect(sent.filter((request) => request.includes('/session/confirmation\n'))).toHaveLength(1)
  })

  test('a person is invited within five minutes of that without a further passkey', async () => {
    await page.goto(`${api.origin}/console/people`)
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByRole('button', { name: 'Make an invitation' }).click()
    await page.getByText('#token=').waitFor()
    expect(sent.filter((request) => request.includes('/session/confirmation\n'))).toHaveLength(1)
  })

  test('who is invited again comes in by the new link alone', async () => {
    const shown = page.getByRole('region', { name: 'Invitation link' })
    const first = await shown.textContent()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Invite Grace again' }).click()
    await page.getByRole('button', { name: 'Make an invitation' }).click()
    const second = await shown.textContent()
    const visitor = await browser.newContext()
    const visit = await visitor.newPage()
    await visit.goto(first ?? '')
    await visit.getByText('401 link_invalid').waitFor()
    await visit.goto(second ?? '')
    await visit.getByRole('heading', { name: 'Welcome, Grace' }).waitFor()
    await visitor.close()
  })

  test('a person is removed with a key that they made, which a passkey revokes, and without one that is kept', async () => {
    const leaver = await signIn(api, { role: 'developer' })
    const make = async (name: string) => {
      const { publicKeyPem: pem } = generateKeyPair()
      const body = { name, public_key_pem: pem, scopes: ['borrower:read'] }
      expect((await leaver.send('POST', '/console/api/keys', { body })).status).toBe(201)
    }
    await make('nightly job')
    await make('kept job')
    await api.db
      .updateTable('console_people')
      .set({ name: 'Leaver' })
      .where('person_id', '=', leaver.personId)
      .execute()
    await page.goto(`${api.origin}/console/people`)
    await page.getByRole('button', { name: 'Remove Leaver' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Leaver?' })
    await dialog.getByLabel('Revoke kept job').uncheck()
    expect(await dialog.getByLabel('Revoke nightly job').isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove Leaver' }).waitFor({ state: 'detached' })
    const { rows } = await sql<{ label: string; is_revoked: boolean }>`
      SELECT label, revoked_at IS NOT NULL AS is_revoked FROM api_keys
      WHERE label LIKE '% job' ORDER BY label`.execute(api.db)
    expect(rows).toEqual([
      { label: 'kept job', is_revoked: false },
      { label: 'nightly job', is_revoked: true },
    ])
  })

  test('a key made in the browser signs requests from outside, and its private half never leaves', async () => {
    using folder = createTemporaryFolder()
    await page.goto(`${api.origin}/console/keys`)
    await page.getByRole('button', { name: 'Make a key' }).first().click()
    for (const sentence of Object.values(SCOPE_SENTENCES)) await page.getByText(sentence).waitFor()
    await page.getByLabel('Name').fill('billing server')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Save key_/ }).click()
    const file = await download
    const keyId = file.suggestedFilename().replace(/\.pem$/, '')
    const path = join(folder.path, file.suggestedFilename())
    await file.saveAs(path)
    const privateKeyPem = readFileSync(path, 'utf8')
    await page.getByRole('button', { name: 'Send a first request' }).click()
    await page.getByText('Waiting for your first request').waitFor()

    const script = await page.getByRole('region', { name: 'First request, Shell' }).textContent()
    const example = join(folder.path, 'first-request.sh')
    writeFileSync(example, (script ?? '').replaceAll('localhost', '127.0.0.1'))
    const { stdout } = await run('sh', [example], { cwd: folder.path })
    expect(JSON.parse(stdout).items).toHaveLength(1)
    await page.getByText('Your first request arrived.').waitFor()
    await page.getByRole('link', { name: 'GET /v1/documents' }).click()
    await page.getByText('200').first().waitFor()

    const secret = Buffer.from(privateKeyPem.split('\n')[1] ?? '', 'base64').subarray(-32)
    expect(secret).toHaveLength(32)
    const forms = [
      ...privateKeyPem.split('\n').filter((line) => line !== '' && !line.startsWith('-----')),
      secret.toString('base64').replace(/=+$/, ''),
      secret.toString('base64url'),
      secret.toString('hex'),
    ]
    expect(sent.filter((request) => request.includes('/console/api/keys')).length).toBeGreaterThan(
      0,
    )
    expect(sent.filter((request) => forms.some((form) => request.includes(form)))).toEqual([])
    expect(sent.filter((request) => request.includes('PRIVATE KEY'))).toEqual([])

    await page.goto(`${api.origin}/console/keys/${keyId}`)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('Revoked').first().waitFor()
    const client = createClient({ baseUrl: api.baseUrl, keyId, privateKeyPem, maxAttempts: 1 })
    await waitFor(() =>
      expect(client.listDocuments()).rejects.toMatchObject({ code: 'signature_invalid' }),
    )
  })
})
