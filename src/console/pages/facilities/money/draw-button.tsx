import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { useChange } from '../../../../pages/data/use-change.ts'
import { FormModal, GuardedButton } from '../../../../pages/parts/forms.tsx'
import { service } from '../../../data/console-api.ts'
import { MoneyFields, refuseNoDecimal } from '../../../parts/asset-fields.tsx'

export function DrawButton({ facility }: { facility: Facility }) {
  const [isOpen, setOpen] = useState(false)
  const form = useForm({
    initialValues: { amount: '', asset: 'USD', destination: '' },
    validate: {
      amount: refuseNoDecimal,
      destination: (value) => (value.trim() === '' ? 'Expected the account to pay to.' : null),
    },
  })
  const close = () => {
    setOpen(false)
    form.reset()
    request.reset()
  }
  const request = useChange({
    change: (wanted: typeof form.values, idempotencyKey) =>
      service.requestDraw(facility.id, wanted, { idempotencyKey }),
    onDone: close,
  })
  return (
    <>
      <GuardedButton
        scope="facility:write"
        reason={facility.state === 'APPROVED' ? undefined : 'The facility is not approved.'}
        onClick={() => setOpen(true)}
      >
        Request a draw
      </GuardedButton>
      <FormModal
        title="Request a draw"
        submit="Request"
        isOpen={isOpen}
        isPending={request.isPending}
        error={request.error}
        onClose={close}
        onSubmit={form.onSubmit((values) => request.mutate(values))}
      >
        <Text size="sm" c="dimmed">
          The amount is reserved at once. It is paid out when the custodian has raised the floor.
        </Text>
        <MoneyFields form={form} label="Amount" />
        <TextInput
          label="Destination"
          description={
            <>
              The account to pay to, as the lender's treasury knows it.{' '}
              <a href="/docs/guides/payments#where-a-draw-goes">More</a>
            </>
          }
          placeholder="account-4711"
          autoComplete="off"
          {...form.getInputProps('destination')}
        />
      </FormModal>
    </>
  )
}
