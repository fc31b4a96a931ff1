import { asSession, consoleApi } from './data/console-api.ts'
import { service } from './data/service.ts'
import type { Application } from './frame/application.ts'
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
  async findByExternalId(externalId) {
    const asked = { external_id: externalId }
    const borrowers = (await service.listBorrowers(asked)).items
    const facilities = (await service.listFacilities(asked)).items
    return [
      ...borrowers.map(({ id }) => ({ label: `Borrower ${id}`, to: `/borrowers/${id}` })),
      ...facilities.map(({ id, state }) => ({
        label: `Facility ${id}, ${state.toLowerCase()}`,
        to: `/facilities/${id}`,
      })),
    ]
  },
}
