import { useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import {
  IconDeviceDesktop,
  IconMenu2,
  IconMoon,
  IconSearch,
  IconSun,
  IconX,
} from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { usePersonSession } from '../sign-in/session.ts'
import { AccountNotices } from './account-notices.tsx'
import { type NavigationEntry, useApplication } from './application.ts'
import classes from './frame.module.css'

// Not needed for the first sight of a page.
const PersonMenu = lazy(async () => ({
  default: (await import('../sign-in/person-menu.tsx')).PersonMenu,
}))
const FindById = lazy(async () => ({ default: (await import('./find-by-id.tsx')).FindById }))

type FrameProps = {
  /** Of the navigation, for screen readers. */
  label: string
  /** Below the menu. */
  manuals?: ReactNode
  /** In the bar above the page. */
  bar?: ReactNode
  children: ReactNode
}

/** The menu beside every page, and the bar above it. */
export function Frame({ label, manuals, bar, children }: FrameProps) {
  const session = usePersonSession()
  const { icon, titleOf } = useApplication()
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
      <nav aria-label={label} className={classes.side}>
        <div className={classes.brand}>
          <img src={icon} alt="" width={24} height={24} />
          <span className={classes.tenant} title={titleOf(session)}>
            {titleOf(session)}
          </span>
        </div>
        <Menu manuals={manuals} />
        <footer className={classes.build}>Version {session.build}</footer>
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
        <span className={classes.stack} data-stack={session.stack}>
          {session.stack === 'live' ? 'Live' : 'Sandbox'}
        </span>
        <button type="button" className={classes.find} onClick={find.open}>
          <IconSearch size={15} aria-hidden />
          <span>Find by id</span>
          <kbd>/</kbd>
        </button>
        {bar}
        <ThemeSwitch />
        <Suspense fallback={<span className={classes.plainButton} />}>
          <PersonMenu />
        </Suspense>
      </header>
      <main id="page" className={classes.main}>
        <AccountNotices />
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

/** Whether the figures of the page follow by themselves. */
export function Liveness({ isLive, title }: { isLive: boolean; title: string }) {
  return (
    <span className={classes.liveness} data-liveness={isLive ? 'live' : 'polling'} title={title}>
      {isLive ? 'Live figures' : 'Polling'}
    </span>
  )
}

export function Menu({ manuals }: { manuals: ReactNode }) {
  const session = usePersonSession()
  const { navigation, allows } = useApplication()
  const isShown = ({ scope, sandboxOnly }: NavigationEntry) =>
    (scope === undefined || allows(session, scope)) &&
    (sandboxOnly === undefined || session.stack === 'sandbox')
  return (
    <div className={classes.menu}>
      {navigation.map(({ label, entries }) => {
        const shown = entries.filter(isShown)
        return (
          shown.length > 0 && (
            <div key={label ?? ''}>
              {label !== undefined && <h2>{label}</h2>}
              <ul>
                {shown.map(({ to, label: text, icon: Mark }) => (
                  <li key={to}>
                    <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                      <Mark size={17} stroke={1.7} aria-hidden />
                      {text}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        )
      })}
      {manuals !== undefined && <div className={classes.manuals}>{manuals}</div>}
    </div>
  )
}

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const SHOWN = {
  auto: { icon: IconDeviceDesktop, label: 'Colours: as the system' },
  light: { icon: IconSun, label: 'Colours: light' },
  dark: { icon: IconMoon, label: 'Colours: dark' },
} as const

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { icon: Mark, label } = SHOWN[colorScheme]
  return (
    <button
      type="button"
      className={classes.plainButton}
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <Mark size={18} stroke={1.7} aria-hidden />
    </button>
  )
}
