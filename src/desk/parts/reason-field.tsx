import { Textarea } from '@mantine/core'

type ReasonProps = {
  value: string
  onChange: (value: string) => void
  description?: string
  required?: boolean
}

/** Why, for the record. */
export function ReasonField({ value, onChange, description, required = true }: ReasonProps) {
  return (
    <Textarea
      label="Reason"
      description={description ?? 'For the record, which keeps it for good.'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={500}
      autosize
      minRows={2}
      required={required}
    />
  )
}
