import { Skeleton } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { ProblemError, UnreachableError } from '../../client/problem-error.ts'
import { useApplication } from '../frame/application.ts'
import classes from './parts.module.css'
import { CopyButton, type Tone } from './values.tsx'

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

type NoticeProps = { tone: Exclude<Tone, 'plain'>; title: string; children?: ReactNode }

export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={classes.alert} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children !== undefined && <div>{children}</div>}
    </div>
  )
}

/** A refusal in the API's own words, with the id to ask support about. */
export function ProblemAlert({ error }: { error: unknown }) {
  if (!error) return null
  if (!(error instanceof ProblemError)) {
    const title =
      error instanceof UnreachableError ? 'The service cannot be reached.' : messageOf(error)
    return <Notice tone="bad" title={title} />
  }
  return (
    <div className={classes.alert} role="alert">
      <strong>{error.title}</strong>
      <span>{error.detail}</span>
      {error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>
              <span className="mono">{pointer}</span> {detail}
            </li>
          ))}
        </ul>
      )}
      <span className={classes.alertFoot}>
        <a href={`/errors/${error.code}`} target="_blank" rel="noreferrer">
          {error.status} {error.code}
        </a>
        {error.requestId !== undefined && (
          <span className={classes.id}>
            <span className="mono">{error.requestId}</span>
            <CopyButton value={error.requestId} label="Copy the request id" />
          </span>
        )}
      </span>
    </div>
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.'
}

export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-label="Loading" style={{ display: 'grid', gap: 12, padding: 16 }}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without a content of their own.
        <Skeleton key={at} height={14} width={`${88 - ((at * 17) % 40)}%`} />
      ))}
    </div>
  )
}

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
