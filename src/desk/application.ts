import type { Application, PersonSession } from '../console/frame/application.ts'
import { call, type DeskSession, signInApi } from './data/operator-api.ts'
import icon from './icon.svg'
import { ID_PAGES } from './shell/id-pages.ts'
import { NAVIGATION } from './shell/navigation.ts'

export const DESK: Application = {
  name: 'Lending desk',
  icon,
  api: signInApi,
  oidcStart: '/operator/v1/session/oidc/start',
  linkCommand: 'npm run desk',
  howToJoin: 'New here? An admin invites you under Operators, or by the operators invite command.',
  titleOf: () => 'Lending desk',
  allows: (session, act) => asSession(session).acts.includes(act),
  navigation: NAVIGATION,
  idPages: ID_PAGES,
  async findByExternalId(externalId) {
    const { items } = await call('findByExternalId', { query: { external_id: externalId } })
    return items.map(({ kind, tenant_id: tenantId, id }) =>
      kind === 'borrower'
        ? { label: `Borrower ${id} of ${tenantId}`, to: `/reviews/${tenantId}/${id}` }
        : { label: `Facility ${id} of ${tenantId}`, to: `/margin/${tenantId}/${id}` },
    )
  },
}

const asSession = (session: PersonSession) => session as DeskSession
