import { NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import classes from './parts.module.css'

export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className={classes.filters} aria-label="Filters">
      {children}
    </search>
  )
}

type FilterProps = { label: string; value: string | undefined; onChange: (value: string) => void }

type SelectProps = FilterProps & {
  options: readonly (string | { value: string; label: string })[]
  all?: string
}

export function FilterSelect({ label, value, onChange, options, all = 'All' }: SelectProps) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: all }, ...options]}
    />
  )
}

/** Takes effect on Enter, or when the field is left. */
export function FilterText({
  label,
  value = '',
  onChange,
  placeholder,
}: FilterProps & { placeholder?: string }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const apply = () => text.trim() !== value && onChange(text.trim())
  return (
    <TextInput
      size="xs"
      label={label}
      value={text}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  )
}

/** An instant, in UTC. */
export function FilterTime({ label, value, onChange }: FilterProps) {
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      label={`${label} (UTC)`}
      value={value?.slice(0, 16) ?? ''}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? '' : `${currentTarget.value}:00.000Z`)
      }
    />
  )
}
