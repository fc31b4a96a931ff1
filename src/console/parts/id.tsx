import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './parts.module.css'

/** An identifier that copies. `children` is a link to its page. */
export function Id({ value, children }: { value: string; children?: ReactNode }) {
  return (
    <span className={classes.id}>
      <span className="mono">{children ?? value}</span>
      <CopyButton value={value} label={`Copy ${value}`} />
    </span>
  )
}
