import type { Application, PersonSession } from '../pages/frame/application.ts'
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
  readNames: async (asked) => {
    const { items } = await call('listNames', { query: { of: asked.join(',') } })
    return new Map(items.map(({ id, name }) => [id, name]))
  },
  names: 'a tenant’s own id, the reference of a transfer, the beginning of a tenant’s name',
  async suggest(text) {
    const { items } = await call('findAnything', { query: { text: withoutNumber(text) } })
    return items.map(({ kind, id, about, page }) =>
      kind === 'tenant'
        ? { name: about ?? text, about: `tenant ${id}`, to: page }
        : {
            name: text,
            about: [id === text ? kind : `${kind} ${id}`, about]
              .filter((word) => word && word !== text)
              .join(', '),
            to: page,
          },
    )
  },
}

/** A warning or a margin call, fac_…/1, is found by its facility. */
const withoutNumber = (text: string) => text.replace(/^(fac_[^/]+)\/\d+$/, '$1')

const asSession = (session: PersonSession) => session as DeskSession
