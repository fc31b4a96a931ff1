import type { ReactNode } from 'react'
import classes from '../parts.module.css'

type EmptyProps = { title: string; children: ReactNode; action?: ReactNode }

/** In place of a list without rows: what to do next. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <strong>{title}</strong>
      <p>{children}</p>
      {action}
    </div>
  )
}
