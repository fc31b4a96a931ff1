import classes from './parts.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'plain'

export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.status} data-tone={tone}>
      {children}
    </span>
  )
}
