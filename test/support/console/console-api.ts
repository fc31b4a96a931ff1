import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { localDeskUrl } from '../../../src/config/page-address.ts'
import { findFreePorts } from '../../../src/local/free-ports.ts'
import { makeConsoleLink } from '../../../src/local/page-links.ts'
import { startInternalServer } from '../../../src/process/internal-server.ts'
import type { TestApi } from '../api/api.ts'
import { startLendingApi } from '../lending/lending-api.ts'
import { createTemporaryFolder } from '../process/temporary-folder.ts'
import { BUILT, BUILT_DESK } from './build.ts'

export type ConsoleApi = TestApi & {
  /** As a browser opens it: passkeys need a name for the host. */
  origin: string
  /** Of the internal port, which has the desk. */
  deskOrigin: string
}

/** API and worker with the pages of console and desk as they are now, as `npm start` serves them. */
export async function startConsoleApi(
  options: Parameters<typeof startLendingApi>[0] = {},
): Promise<ConsoleApi> {
  // Known before the start: passkeys belong to an origin.
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const origin = `http://localhost:${port}`
  const deskOrigin = localDeskUrl(metricsPort)
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(createTemporaryFolder())
  const env = {
    ...{ CONSOLE: 'local', PUBLIC_URL: origin, ERASED_FILE: join(folder.path, 'erased.jsonl') },
    ...{ DESK: 'local', METRICS_PORT: String(metricsPort) },
    ...{ SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'alerts@lender.example' },
    ...options.env,
  }
  const constants = { ...options.constants, consoleFolder: BUILT, deskFolder: BUILT_DESK }
  const api = cleanup.use(await startLendingApi({ ...options, env, constants, port }))
  const internal = await startInternalServer(api.resources, true)
  cleanup.defer(() => internal.close())
  const owned = cleanup.move()
  const disposeAll = { [Symbol.asyncDispose]: () => owned.disposeAsync() }
  return { ...api, origin, deskOrigin, ...disposeAll }
}

/** Opens a new one-time link; resolves on the overview. */
export async function signInByLink(page: Page, api: ConsoleApi): Promise<void> {
  const local = { tenantId: api.tenant.id, baseUrl: api.origin }
  await page.goto(await makeConsoleLink(api.db, local, api.resources.clock()))
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** A platform authenticator whose person agrees to everything. */
export async function addAuthenticator(
  context: BrowserContext,
  page: Page,
): Promise<{ replace(): Promise<void> }> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  let { authenticatorId } = await plugIn(session)
  return {
    async replace() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      ;({ authenticatorId } = await plugIn(session))
    },
  }
}

function plugIn(session: CDPSession): Promise<{ authenticatorId: string }> {
  return session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
