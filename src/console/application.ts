import type { Application } from '../pages/frame/application.ts'
import { asSession, consoleApi } from './data/console-api.ts'
import icon from './icon.svg'
import { ID_PAGES } from './shell/id-pages.ts'
import { NAVIGATION } from './shell/navigation.ts'

export const CONSOLE: Application = {
  name: 'Lending console',
  icon,
  api: consoleApi,
  oidcStart: '/console/api/session/oidc/start',
  linkCommand: 'npm run console',
  howToJoin: 'New here? An admin of your company invites you under People.',
  titleOf: (session) => asSession(session).tenant.name,
  allows: (session, scope) => asSession(session).scopes.includes(scope),
  navigation: NAVIGATION,
  idPages: ID_PAGES,
  readNames: async (asked) => {
    const { items } = await consoleApi.listNames({ of: asked.join(',') })
    return new Map(items.map(({ id, name }) => [id, name]))
  },
  names: 'the beginning of your own external id',
  async suggest(text) {
    const { items } = await consoleApi.listNames({ begins: text })
    return items.map(({ id, name }) =>
      id.startsWith('bor_')
        ? { name, about: 'borrower', to: `/borrowers/${id}` }
        : { name, about: `facility ${id}`, to: `/facilities/${id}` },
    )
  },
}
