import { Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { isDecimal } from '../../../../pages/data/figures.ts'
import type { PreviewActs } from '../../../data/lending-types.ts'
import { MONEY_ASSETS } from '../../../parts/asset-fields.tsx'
import { readActs } from './read-acts.ts'

const COLLATERAL_ASSETS = ['BTC', 'ETH', 'USDC', 'USD']
const PRICED_ASSETS = ['BTC', 'ETH', 'USDC']

const FIELDS = [
  { name: 'deposit', label: 'Deposit', assets: COLLATERAL_ASSETS, unit: '0.5' },
  { name: 'withdrawal', label: 'Withdrawal', assets: COLLATERAL_ASSETS, unit: '0.5' },
  { name: 'repayment', label: 'Repayment', assets: MONEY_ASSETS, unit: '5000.00' },
  { name: 'draw', label: 'Draw', assets: MONEY_ASSETS, unit: '1000.00' },
  { name: 'price', label: 'Then the price is', assets: PRICED_ASSETS, unit: '60000' },
] as const

export type ActName = (typeof FIELDS)[number]['name']

/** What is left empty does not happen. */
export type ActValues = Record<ActName, { amount: string; asset: string }> & {
  days: number | string
}

const INITIAL: ActValues = {
  deposit: { amount: '', asset: 'BTC' },
  withdrawal: { amount: '', asset: 'BTC' },
  repayment: { amount: '', asset: 'USD' },
  draw: { amount: '', asset: 'USD' },
  price: { amount: '', asset: 'BTC' },
  days: 0,
}

const refuse = (value: string) =>
  value === '' || isDecimal(value) ? null : 'Expected a decimal such as 0.5.'

type FormProps = { isPending: boolean; onAsk: (acts: PreviewActs) => void }

export function PreviewForm({ isPending, onAsk }: FormProps) {
  const form = useForm({
    initialValues: INITIAL,
    validate: Object.fromEntries(FIELDS.map(({ name }) => [name, { amount: refuse }])),
  })
  return (
    <form onSubmit={form.onSubmit((values) => onAsk(readActs(values)))}>
      <Stack gap="sm">
        {FIELDS.map(({ name, label, assets, unit }) => (
          <Group key={name} align="start" gap="xs" wrap="nowrap">
            <TextInput
              label={label}
              placeholder={unit}
              inputMode="decimal"
              autoComplete="off"
              flex={1}
              {...form.getInputProps(`${name}.amount`)}
            />
            <Select
              aria-label={`${label}: asset`}
              mt={22}
              w={92}
              data={assets}
              allowDeselect={false}
              {...form.getInputProps(`${name}.asset`)}
            />
          </Group>
        ))}
        <NumberInput
          label="And days pass"
          min={0}
          max={400}
          allowDecimal={false}
          {...form.getInputProps('days')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => form.reset()}>
            Clear
          </Button>
          <Button type="submit" loading={isPending}>
            Preview
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
