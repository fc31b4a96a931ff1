import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconMenu2, IconSearch, IconX } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useLiveFigures } from '../data/live.ts'
import { useSession } from '../data/session.ts'
import mark from '../icon.svg'
import { Menu } from './menu.tsx'
import classes from './shell.module.css'
import { ThemeSwitch } from './theme-switch.tsx'

// Not needed for the first sight of a page.
const PersonMenu = lazy(async () => ({ default: (await import('./person-menu.tsx')).PersonMenu }))
const FindById = lazy(async () => ({ default: (await import('./find-by-id.tsx')).FindById }))

export function Shell({ children }: { children: ReactNode }) {
  const { stack, tenant } = useSession()
  const liveness = useLiveFigures()
  const [isMenuOpen, menu] = useDisclosure()
  const [isFinding, find] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an open menu is in the way of the page it led to.
  useEffect(menu.close, [path])
  useHotkeys([
    ['mod+K', find.open],
    ['/', find.open],
  ])
  return (
    <div className={classes.shell} data-menu={isMenuOpen || undefined}>
      <a className={classes.skip} href="#page">
        Skip to content
      </a>
      <nav aria-label="Console" className={classes.side}>
        <div className={classes.brand}>
          <img src={mark} alt="" width={24} height={24} />
          <span className={classes.tenant} title={tenant.name}>
            {tenant.name}
          </span>
        </div>
        <Menu />
      </nav>
      <header className={classes.top}>
        <button
          type="button"
          className={`${classes.plainButton} ${classes.burger}`}
          aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isMenuOpen}
          onClick={menu.toggle}
        >
          {isMenuOpen ? <IconX size={20} /> : <IconMenu2 size={20} />}
        </button>
        <span className={classes.stack} data-stack={stack}>
          {stack === 'live' ? 'Live' : 'Sandbox'}
        </span>
        <button type="button" className={classes.find} onClick={find.open}>
          <IconSearch size={15} aria-hidden />
          <span>Find by id</span>
          <kbd>/</kbd>
        </button>
        <span
          className={classes.liveness}
          data-liveness={liveness}
          title={
            liveness === 'live'
              ? 'Figures follow as events arrive'
              : 'Figures are read every 2 seconds'
          }
        >
          {liveness === 'live' ? 'Live figures' : 'Polling'}
        </span>
        <ThemeSwitch />
        <Suspense fallback={<span className={classes.plainButton} />}>
          <PersonMenu />
        </Suspense>
      </header>
      <main id="page" className={classes.main}>
        {children}
      </main>
      {isFinding && (
        <Suspense>
          <FindById isOpen onClose={find.close} />
        </Suspense>
      )}
    </div>
  )
}
