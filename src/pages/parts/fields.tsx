import { NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core'

type TextFieldProps = Omit<TextInputProps, 'onChange'> & { onChange: (value: string) => void }

export function TextField({ onChange, ...props }: TextFieldProps) {
  return <TextInput {...props} onChange={(event) => onChange(event.currentTarget.value)} />
}

type SelectFieldProps<Value extends string> = Omit<NativeSelectProps, 'value' | 'onChange'> & {
  value: Value
  onChange: (value: Value) => void
}

/** One of `data`, whose values are of the field's type. */
export function SelectField<Value extends string>({ onChange, ...props }: SelectFieldProps<Value>) {
  return (
    <NativeSelect {...props} onChange={(event) => onChange(event.currentTarget.value as Value)} />
  )
}
