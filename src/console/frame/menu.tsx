import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePersonSession } from '../sign-in/session.ts'
import { useApplication } from './application.ts'
import classes from './frame.module.css'
import type { NavigationEntry } from './navigation.ts'

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
