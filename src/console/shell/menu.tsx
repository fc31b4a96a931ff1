import { Link } from '@tanstack/react-router'
import { useSession } from '../data/session.ts'
import { NAVIGATION, type NavigationEntry } from './navigation.ts'
import classes from './shell.module.css'

export function Menu() {
  const session = useSession()
  const isShown = ({ scope, sandboxOnly }: NavigationEntry) =>
    (scope === undefined || session.scopes.includes(scope)) &&
    (sandboxOnly === undefined || session.stack === 'sandbox')
  return (
    <div className={classes.menu}>
      {NAVIGATION.map(({ label, entries }) => {
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
      <div className={classes.manuals}>
        <a href="/docs/guides" target="_blank" rel="noreferrer">
          Guides
        </a>
        <a href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
      </div>
    </div>
  )
}
