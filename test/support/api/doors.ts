import { expect } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { actInvite } from '../../../src/domain/operators/people-acts.ts'
import type { Operator } from '../../../src/domain/operators/roles.ts'
import { inviteToTenant } from '../people.ts'
import { createAuthenticator } from './authenticator.ts'
import { type Browser, openBrowser } from './console.ts'
import { type OperatorApi, operatorApiForFile, type Sent } from './operators.ts'

type Authenticator = ReturnType<typeof createAuthenticator>

/** A browser at the desk. */
export type AtDesk = {
  send(path: string, sent?: Sent): ReturnType<OperatorApi['send']>
}

export const POST = { method: 'POST' } as const

let count = 0
export const newEmail = () => {
  count += 1
  return `attack${count}@lender.example`
}

/** An API with four eyes for a file, and people who come in at desk and console, with real passkeys. */
export function doorsForFile(clock: () => Date) {
  const { api, operators } = operatorApiForFile({
    clock,
    env: {
      FOUR_EYES: 'on',
      PUBLIC_URL: 'https://api.example.com',
      DESK_URL: 'https://desk.example.com',
    },
  })
  const atDesk = (cookie: string): AtDesk => ({
    send: (path, sent = {}) => operators.send(path, { ...sent, cookie }),
  })
  const deskOrigin = () => api.resources.config.desk.origin
  const consoleOrigin = () => api.resources.config.console.origin

  async function openDeskLink(token: string) {
    const headers = { origin: deskOrigin() }
    const answer = await operators.send('/session/link', { ...POST, body: { token }, headers })
    const cookie = /__Host-desk=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? ''
    return { answer, cookie }
  }

  async function addPasskey(desk: AtDesk, authenticator: Authenticator) {
    const options = await desk.send('/passkeys/options', POST)
    if (options.status !== 200) return options
    const response = authenticator.create(options.json())
    return await desk.send('/passkeys', { ...POST, body: { response, name: 'Laptop' } })
  }

  async function signInToDesk(authenticator: Authenticator): Promise<AtDesk> {
    const headers = { origin: deskOrigin() }
    const options = (await operators.send('/session/passkey/options', { ...POST, headers })).json()
    const body = { response: authenticator.get(options) }
    const answer = await operators.send('/session/passkey', { ...POST, headers, body })
    expect(answer.status).toBe(200)
    return atDesk(/__Host-desk=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '')
  }

  async function openAsThief(token: string) {
    const desk = atDesk((await openDeskLink(token)).cookie)
    const authenticator = createAuthenticator(deskOrigin())
    expect((await addPasskey(desk, authenticator)).status).toBe(201)
    return { desk, authenticator }
  }

  async function addConsolePasskey(browser: Browser, authenticator: Authenticator) {
    const options = await browser.send('POST', '/console/api/passkeys/options')
    if (options.status !== 200) return options
    const body = { response: authenticator.create(options.json()), name: 'Laptop' }
    return await browser.send('POST', '/console/api/passkeys', { body })
  }

  /** With a passkey of theirs. */
  async function openInConsole(token: string) {
    const browser = openBrowser(api)
    const opened = await browser.send('POST', '/console/api/session/link', { body: { token } })
    expect(opened.status).toBe(200)
    const authenticator = createAuthenticator(consoleOrigin())
    expect((await addConsolePasskey(browser, authenticator)).status).toBe(201)
    return { browser, authenticator }
  }

  return {
    ...{ api, operators, atDesk, deskOrigin, openDeskLink, addPasskey, signInToDesk, openAsThief },
    ...{ addConsolePasskey, openInConsole, consoleOrigin },

    async confirm(desk: AtDesk, authenticator: Authenticator) {
      const options = (await desk.send('/session/confirmation/options', POST)).json()
      const body = { response: authenticator.get(options) }
      return await desk.send('/session/confirmation', { ...POST, body })
    },

    /** Given a link by the system's user; with a passkey, signed in by it. */
    async addOperator(isTrusted = true) {
      const given = { email: newEmail(), name: 'Ada', role: 'admin' } as const
      const { result } = await inTransaction(api.db, (tx) =>
        actInvite(tx, given, { now: clock(), isTrusted }),
      )
      const { authenticator } = await openAsThief(result.token)
      return { operator: result.person, authenticator, desk: await signInToDesk(authenticator) }
    },

    /** A link for an operator, as two others make it, or the system's user. */
    async linkFor({ email, name, role }: Omit<Operator, 'id'>, isTrusted = false): Promise<string> {
      const given = { email, name, role }
      const { result } = await inTransaction(api.db, (tx) =>
        actInvite(tx, given, { now: clock(), isTrusted }),
      )
      return result.token
    },

    /** An admin, with a passkey of theirs. */
    async addTenantPerson(tenantId: string) {
      count += 1
      const member = { email: `cfo${count}@example.com`, name: 'CFO', role: 'admin' } as const
      const { person, token } = await inTransaction(api.db, (tx) =>
        inviteToTenant(tx, tenantId, member, clock()),
      )
      return { person, ...(await openInConsole(token)) }
    },

    async signInToConsole(authenticator: Authenticator): Promise<Browser> {
      const browser = openBrowser(api)
      const asked = await browser.send('POST', '/console/api/session/passkey/options')
      const body = { response: authenticator.get(asked.json()) }
      const answer = await browser.send('POST', '/console/api/session/passkey', { body })
      expect(answer.status).toBe(200)
      return browser
    },

    async confirmConsole(browser: Browser, authenticator: Authenticator) {
      const asked = await browser.send('POST', '/console/api/session/confirmation/options')
      const body = { response: authenticator.get(asked.json()) }
      return await browser.send('POST', '/console/api/session/confirmation', { body })
    },
  }
}
