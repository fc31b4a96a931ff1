import type { Page } from 'playwright-core'
import { makeDeskLink } from '../../../src/local/page-links.ts'
import { type ConsoleApi, signInByLink } from './console-api.ts'
import { DESK_PAGES } from './desk-pages.ts'
import { CONSOLE_PAGES, type PageUnderTest } from './pages.ts'

/** Opens a new one-time link; resolves on the desk's first page. */
export async function signInToDesk(page: Page, api: ConsoleApi): Promise<void> {
  await page.goto(await makeDeskLink(api.db, api.deskOrigin, api.resources.clock()))
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign' }).waitFor()
}

export type ApplicationUnderTest = {
  name: 'console' | 'desk'
  pages: readonly PageUnderTest[]
  addressOf(api: ConsoleApi): string
  signIn(page: Page, api: ConsoleApi): Promise<void>
}

/** What the pictures show, and axe reads. */
export const APPLICATIONS: readonly ApplicationUnderTest[] = [
  {
    name: 'console',
    pages: CONSOLE_PAGES,
    addressOf: ({ origin }) => `${origin}/console`,
    signIn: signInByLink,
  },
  {
    name: 'desk',
    pages: DESK_PAGES,
    addressOf: ({ deskOrigin }) => `${deskOrigin}/desk`,
    signIn: signInToDesk,
  },
]
