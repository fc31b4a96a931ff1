import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { isDecimal } from '../../pages/data/figures.ts'
import { TextField } from '../../pages/parts/fields.tsx'

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

export type Position = { asset: string; quantity: string }

type PositionsProps = { positions: readonly Position[]; onChange: (positions: Position[]) => void }

/** Assets and quantities, each asset once. */
export function PositionsField({ positions, onChange }: PositionsProps) {
  const change = (at: number, part: Partial<Position>) =>
    onChange(positions.map((position, row) => (row === at ? { ...position, ...part } : position)))
  return (
    <Stack gap="xs">
      {positions.map(({ asset, quantity }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name while it is edited.
        <Group key={at} gap="xs" wrap="nowrap">
          <TextField
            aria-label={`Asset ${at + 1}`}
            placeholder="BTC"
            w={92}
            autoComplete="off"
            value={asset}
            onChange={(value) => change(at, { asset: value.toUpperCase() })}
          />
          <TextField
            aria-label={`Quantity ${at + 1}`}
            placeholder="1.5"
            inputMode="decimal"
            autoComplete="off"
            flex={1}
            value={quantity}
            onChange={(value) => change(at, { quantity: value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${asset || 'the row'}`}
            onClick={() => onChange(positions.filter((_, row) => row !== at))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => onChange([...positions, { asset: '', quantity: '' }])}
        >
          Add an asset
        </Button>
      </Group>
    </Stack>
  )
}
