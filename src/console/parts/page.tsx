import { type ReactNode, useEffect } from 'react'
import { useApplication } from '../frame/application.ts'
import classes from './parts.module.css'

type PageProps = {
  title: string
  /** Beside the title: an id, a status. */
  beside?: ReactNode
  crumbs?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, beside, crumbs, about, actions, children }: PageProps) {
  const { name } = useApplication()
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <div className={classes.page}>
      <div className={classes.pageHead}>
        <div>
          {crumbs !== undefined && (
            <nav aria-label="Breadcrumb" className={classes.crumbs}>
              {crumbs}
            </nav>
          )}
          <div className={classes.actions}>
            <h1>{title}</h1>
            {beside}
          </div>
          {about !== undefined && <p className={classes.about}>{about}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

type PanelProps = {
  title: string
  actions?: ReactNode
  /** Without padding, for a table. */
  flush?: boolean
  children: ReactNode
}

export function Panel({ title, actions, flush = false, children }: PanelProps) {
  return (
    <section className={classes.panel} aria-label={title}>
      <div className={classes.panelHead}>
        <h2>{title}</h2>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      <div className={flush ? undefined : classes.panelBody}>{children}</div>
    </section>
  )
}
