import type { TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { fromPercent, toPercent } from '../../pages/data/figures.ts'
import { TextField } from '../../pages/parts/fields.tsx'

type PercentProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  /** A ratio, as the service has it: "0.7". */
  value: string
  onChange: (ratio: string) => void
}

/** A ratio that is read and written in percent, as everywhere at the desk. */
export function PercentInput({ value, onChange, ...props }: PercentProps) {
  const [text, setText] = useState(toPercent(value))
  return (
    <TextField
      rightSection="%"
      inputMode="decimal"
      {...props}
      value={text}
      onChange={(typed) => {
        setText(typed)
        onChange(fromPercent(typed.trim()))
      }}
    />
  )
}
