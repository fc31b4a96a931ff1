import type { ReactNode } from 'react'
import classes from './parts.module.css'
import { CopyButton } from './values.tsx'

type CodeProps = { code: string; label: string; wrap?: boolean; children?: ReactNode }

/** `children` is the code with colours. */
export function Code({ code, label, wrap = false, children }: CodeProps) {
  return (
    <div className={classes.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys. */}
      <section tabIndex={0} aria-label={label}>
        <pre data-wrap={wrap || undefined}>{children ?? code}</pre>
      </section>
      <CopyButton value={code} label={`Copy: ${label}`} />
    </div>
  )
}

/** Shown indented; what is no JSON is shown as it is. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? indent(value) : JSON.stringify(value, null, 2)
  return (
    <Code code={text} label={label}>
      {highlight(text)}
    </Code>
  )
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const TOKENS =
  /(?<name>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*\b|\btrue\b|\bfalse\b|\bnull\b)/g

function highlight(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS)) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, found]) => found) ?? []
    parts.push(text.slice(end, match.index))
    parts.push(
      <span key={match.index} className={classes[kind]}>
        {match[0]}
      </span>,
    )
    end = match.index + match[0].length
  }
  parts.push(text.slice(end))
  return parts
}
