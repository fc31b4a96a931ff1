import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations } from '../support/console/every-page.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 390, height: 844 }

await describeInBrowser('guides and errors', (started) => {
  let context: BrowserContext
  let page: Page
  let origin: string
  const faults: string[] = []
  beforeAll(async () => {
    ;({ origin } = started.api)
    context = await started.browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(String(error)))
  })

  test('a block of code is copied by its button, to the character', async () => {
    await page.goto(`${origin}/docs/guides/signing`)
    const block = page.locator('.block', { hasText: 'SVC-ED25519-V1' }).first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(await block.locator('pre').textContent())
    expect(copied).toMatch(/^SVC-ED25519-V1\n\{X-SVC-Key-Id\}\n/)
    await block.getByRole('button', { name: 'Copy', exact: true }).waitFor()
  })

  test('a search is reached by a key, and its first result is the section with the words', async () => {
    await page.goto(`${origin}/docs/guides`)
    await page.keyboard.press('/')
    await page.keyboard.type('rate limit')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('rate limit')
    await page.getByRole('main').getByRole('link').first().click()
    await page.getByRole('heading', { name: /^Requests and limits/ }).waitFor()
    expect(new URL(page.url()).hash).toBe('#rate-limits')
  })

  test('at 390 px the menu opens, leads to a guide, and closes by Escape, its button and a link to a heading', async () => {
    await page.setViewportSize(NARROW)
    await page.goto(`${origin}/docs/guides/signing`)
    const menu = page.getByRole('navigation', { name: 'Guides', exact: true })
    expect(await menu.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'Test vectors' }).click()
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'The sandbox' }).click()
    await page.getByRole('heading', { name: /^The sandbox/, level: 1 }).waitFor()
    await page.setViewportSize(WIDE)
    await menu.waitFor()
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false)
  })

  test.each(['light', 'dark'] as const)(
    'in the %s theme, pages break no rule of axe, report no fault, and are no wider than 390 or 1280 px',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      for (const viewport of [NARROW, WIDE]) {
        await page.setViewportSize(viewport)
        for (const path of PATHS) {
          await page.goto(origin + path)
          expect([path, await findViolations(page)]).toEqual([path, []])
          const width = await page.evaluate('document.documentElement.scrollWidth')
          expect([path, width]).toEqual([path, viewport.width])
        }
      }
      expect(faults).toEqual([])
    },
  )

  test('the reference signs with the file that the console saves', async () => {
    const { keyId, privateKeyPem } = started.api.tenant
    await page.goto(`${origin}/docs`)
    await page.getByText('Sign with your key').click()
    const file = { name: `${keyId}.pem`, mimeType: '', buffer: Buffer.from(privateKeyPem) }
    await page.getByLabel('Key file').setInputFiles(file)
    await page.getByText(`Requests are signed with ${keyId}.`).waitFor()
  })
})

const PATHS = [
  ...['/', '/docs/guides', '/docs/guides/start', '/docs/guides/requests'],
  ...['/docs/guides/search?q=webhook', '/errors', '/errors/validation_failed'],
]
