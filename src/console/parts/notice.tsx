import type { ReactNode } from 'react'
import { ProblemError, UnreachableError } from '../../client/problem-error.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './parts.module.css'
import type { Tone } from './status.tsx'

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
