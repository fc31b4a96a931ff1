import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import classes from './parts.module.css'

export function CopyButton({ value, label }: { value: string; label: string }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = window.setTimeout(() => setDone(false), 1_500)
    return () => window.clearTimeout(timer)
  }, [isDone])
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={isDone ? 'Copied' : label}
      title={isDone ? 'Copied' : label}
      data-done={isDone || undefined}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        navigator.clipboard.writeText(value).then(
          () => setDone(true),
          () => undefined,
        )
      }}
    >
      {isDone ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </button>
  )
}
