import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { signInToDesk } from '../support/console/applications.ts'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addApproved, addDraw, untilIdle } from '../support/lending/lending-api.ts'

/** More than any page under test has. */
const MAX_STOPS = 120

const DESK_PATHS = [
  '/',
  '/margin',
  '/margin/stress',
  '/reviews',
  '/operations',
  '/administration',
  '/administration/residency',
  '/approvals',
  '/actions',
  '/operators',
]

await describeInBrowser('by keyboard alone', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  let drawId: string
  let facilityId: string
  beforeAll(async () => {
    ;({ api, browser } = started)
    // Without the transitions in which a border takes its colour.
    page = await browser.newPage({ reducedMotion: 'reduce' })
    await signInByLink(page, api)
    facilityId = (await addApproved(api.tenant)).id
    drawId = (await addDraw(api.tenant, facilityId, '1000.00')).id
    // Lists that grow move what has the focus.
    await untilIdle(api.db, api.tenant.id)
  })

  const readFocus = async () => (await page.evaluate(FOCUS)) as Focus

  test('the search opens by a key, keeps the focus, closes, and leads to the page of an id', async () => {
    await page.goto(`${api.origin}/console/`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog', { name: 'Find' })
    await dialog.getByLabel('Id or page').waitFor()
    for (let stops = 0; stops < 5; stops += 1) {
      await page.keyboard.press('Tab')
      expect(await dialog.locator(':focus').count()).toBe(1)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await page.keyboard.press('Control+k')
    // The dialog is there before the focus is in it.
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.insertText(drawId)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/facilities/${facilityId}?tab=draws`)
    await page.getByRole('tab', { name: 'Draws', selected: true }).waitFor()
  })

  const find = async (address: string, text: string) => {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.locator('[role=dialog] input:focus').waitFor()
    await page.keyboard.insertText(text)
    await page.keyboard.press('Enter')
  }

  test("the search leads to what has the tenant's own id, and says where nothing has it", async () => {
    await api.db
      .updateTable('facilities')
      .set({ external_id: 'loan-4711' })
      .where('facility_id', '=', facilityId)
      .execute()
    await find(`${api.origin}/console/`, 'loan-4712')
    await page.getByText('Nothing found.').waitFor()
    await find(`${api.origin}/console/`, 'loan-4711')
    await page.waitForURL(`**/facilities/${facilityId}`)
    const loan = page.getByRole('region', { name: 'Loan', exact: true })
    await loan.getByText('loan-4711', { exact: true }).waitFor()
  })

  test('an id that names nothing shows the refusal of the API', async () => {
    await page.goto(`${api.origin}/console/draws/${drawId.slice(0, -4)}0000`)
    await page.getByText('404 not_found').waitFor()
  })

  test('a dialog returns the focus to the button that opened it', async () => {
    await page.goto(`${api.origin}/console/webhooks`)
    const open = page.getByRole('button', { name: 'Create a new secret' })
    await open.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(async () => (await readFocus()).name).toBe('Create a new secret')
  })

  async function expectToReachAll(address: string): Promise<void> {
    await page.goto(address)
    await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' })
    await page.locator('main h1').waitFor()
    const expected = (await page.evaluate(CONTROLS)) as number
    const reached = new Set<string>()
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      await page.keyboard.press('Tab')
      const focus = await readFocus()
      if (focus.at === undefined) break
      expect(focus, focus.name).toMatchObject({ isShown: true })
      reached.add(focus.at)
    }
    expect(expected).toBeGreaterThan(10)
    expect(reached.size).toBeGreaterThanOrEqual(expected)
  }

  test.each(['/', '/webhooks', '/events', '/sandbox', '/facilities'])(
    'every control of %s is reached by Tab, and shows that it has the focus',
    (path) => expectToReachAll(`${api.origin}/console${path}`),
  )

  describe('the desk', () => {
    beforeAll(() => signInToDesk(page, api))

    test('the search leads to the facility of any tenant that has its external id', async () => {
      await find(`${api.deskOrigin}/desk/`, 'loan-4711')
      await page.waitForURL(`**/margin/${api.tenant.id}/${facilityId}`)
      await page.getByRole('region', { name: 'Loan' }).getByText('loan-4711').waitFor()
    })

    test('the search leads from an id of any kind to its page, and says where nothing has it', async () => {
      for (const id of [drawId, `${facilityId}/1`]) {
        await find(`${api.deskOrigin}/desk/`, id)
        await page.waitForURL(`**/margin/${api.tenant.id}/${facilityId}`)
      }
      await find(`${api.deskOrigin}/desk/`, `${drawId.slice(0, -4)}0000`)
      await page.getByText('Nothing found.').waitFor()
    })

    test.each(DESK_PATHS)(
      'every control of %s is reached by Tab, and shows that it has the focus',
      (path) => expectToReachAll(`${api.deskOrigin}/desk${path}`),
    )
  })
})

type Focus = { at: string | undefined; name: string; isShown: boolean }

/**
 * The control that has the focus; `at` is its place in the page, undefined past its end. It shows
 * the focus where it, its label or its frame differ from how they are without it.
 */
const FOCUS = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return { name: '', isShown: false }
  const seen = () =>
    [element, element.nextElementSibling, element.parentElement]
      .filter((part) => part !== null)
      .map((part) => getComputedStyle(part))
      .map((style) => [style.outline, style.borderColor, style.boxShadow].join())
      .join()
  const at = String([...document.querySelectorAll('*')].indexOf(element))
  const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()
  // A field for an instant has several stops; losing the focus would begin them again.
  if (window.lastFocused === element) return { at, name, isShown: true }
  window.lastFocused = element
  const focused = seen()
  element.blur()
  const plain = seen()
  element.focus({ preventScroll: true })
  return { at, name, isShown: focused !== plain }
})()`

/** Links and buttons that can be seen; of a group of radios one is a stop. */
const CONTROLS = `[...document.querySelectorAll('a[href], button:not([disabled])')]
  .filter((element) => element.checkVisibility() && element.tabIndex >= 0)
  .length`
