import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { buildConsole } from '../../../scripts/build-console.ts'
import { makeConsoleLink } from '../../../src/local/console-link.ts'
import type { TestApi } from '../api/api.ts'
import { startLendingApi } from '../lending/lending-api.ts'

const BUILT = join(import.meta.dirname, '..', '..', '..', 'dist', 'console')

export type ConsoleApi = TestApi & {
  /** As a browser opens it: passkeys need a name for the host. */
  origin: string
}

/** API and worker with the console's pages as they are now, as `npm start` serves them. */
export async function startConsoleApi(
  options: Parameters<typeof startLendingApi>[0] = {},
): Promise<ConsoleApi> {
  await buildConsole(BUILT)
  const env = { CONSOLE: 'local', CONSOLE_DIR: BUILT, ...options.env }
  const api = await startLendingApi({ ...options, env })
  return Object.assign(api, { origin: `http://localhost:${api.port}` })
}

/** Opens a new one-time link; resolves on the overview. */
export async function signInByLink(page: Page, api: ConsoleApi): Promise<void> {
  const local = { tenantId: api.tenant.id, baseUrl: api.origin }
  await page.goto(await makeConsoleLink(api.db, local, api.resources.clock()))
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** A platform authenticator whose person agrees to everything. */
export async function addAuthenticator(context: BrowserContext, page: Page): Promise<CDPSession> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}
