import { Group, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { isDecimal } from '../../data/figures/decimal.ts'

export type MoneyValues = { amount: string; asset: string }

export const MONEY_ASSETS = ['USD', 'USDC']

/** For the form's `validate`. */
export const refuseNoDecimal = (value: string) =>
  isDecimal(value) ? null : 'Expected a decimal such as 20000.00.'

export function MoneyFields<Values extends MoneyValues>({
  form,
  label,
}: {
  form: UseFormReturnType<Values>
  label: string
}) {
  return (
    <Group align="start" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        placeholder="1000.00"
        inputMode="decimal"
        flex={1}
        autoComplete="off"
        {...form.getInputProps('amount')}
      />
      <Select
        label="Asset"
        w={96}
        data={MONEY_ASSETS}
        allowDeselect={false}
        {...form.getInputProps('asset')}
      />
    </Group>
  )
}
