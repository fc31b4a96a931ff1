import { Link } from '@tanstack/react-router'
import classes from './section-tabs.module.css'

type SectionTabsProps = {
  label: string
  tabs: readonly { to: string; label: string }[]
}

/** Links between the pages of a section. */
export function SectionTabs({ label, tabs }: SectionTabsProps) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, label: name }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'data-active': true }}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
