import type { ReactNode } from 'react'
import classes from './parts.module.css'

/** Pairs of a name and a value. */
export function Facts({
  items,
}: {
  items: readonly (readonly [name: string, value: ReactNode])[]
}) {
  return (
    <dl className={classes.facts}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
