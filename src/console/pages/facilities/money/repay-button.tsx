import { Checkbox, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Facility, MarginWarning } from '../../../../client/index.ts'
import { useChange } from '../../../../pages/data/use-change.ts'
import { FormModal, GuardedButton } from '../../../../pages/parts/forms.tsx'
import { inUsd } from '../../../../pages/parts/values.tsx'
import { service } from '../../../data/console-api.ts'
import { useWarnings } from '../../../data/lending.ts'
import { MoneyFields, refuseNoDecimal } from '../../../parts/asset-fields.tsx'

type RepayProps = { facility: Facility; onAnnounced: (repaymentId: string) => void }

/** Announces a repayment; its instructions are shown next. */
export function RepayButton({ facility, onAnnounced }: RepayProps) {
  const { data } = useWarnings(facility.id)
  const warning = data?.items.find(({ status }) => status === 'OPEN')
  const [isOpen, setOpen] = useState(false)
  const form = useForm({
    initialValues: { amount: '', asset: 'USD', isCure: false },
    validate: { amount: refuseNoDecimal },
  })
  const close = () => {
    setOpen(false)
    announce.reset()
  }
  const announce = useChange({
    change: ({ amount, asset, isCure }: typeof form.values, idempotencyKey) =>
      service.createRepayment(
        facility.id,
        { amount, asset, ...(isCure && warning && { margin_warning_number: warning.number }) },
        { idempotencyKey },
      ),
    onDone: ({ id }) => {
      close()
      onAnnounced(id)
    },
  })
  const open = () => {
    const isCure = warning !== undefined
    const amount = warning?.cure_amount_usd ?? facility.outstanding.total
    form.setValues({ amount: amount === '0.00' ? '' : amount, asset: 'USD', isCure })
    setOpen(true)
  }
  return (
    <>
      <GuardedButton scope="repayment:write" reason={reasonOf(facility)} onClick={open}>
        Announce a repayment
      </GuardedButton>
      <FormModal
        title="Announce a repayment"
        submit="Announce"
        isOpen={isOpen}
        isPending={announce.isPending}
        error={announce.error}
        onClose={close}
        onSubmit={form.onSubmit((values) => announce.mutate(values))}
      >
        <MoneyFields form={form} label="Amount" />
        <CureField
          warning={warning}
          owed={facility.outstanding.total}
          props={form.getInputProps('isCure', { type: 'checkbox' })}
        />
      </FormModal>
    </>
  )
}

type CureProps = { warning: MarginWarning | undefined; owed: string; props: object }

function CureField({ warning, owed, props }: CureProps) {
  if (!warning) {
    return (
      <Text size="sm" c="dimmed">
        Owed now: {inUsd(owed)}.
      </Text>
    )
  }
  return (
    <Checkbox
      label={`Cures warning ${warning.number}`}
      description={`${inUsd(warning.cure_amount_usd)} cure it, also when they arrive up to a day after the deadline.`}
      {...props}
    />
  )
}

function reasonOf({ state, charged_off: chargedOff }: Facility): string | undefined {
  return state === 'APPROVED' || state === 'CLOSING' || chargedOff
    ? undefined
    : 'There is no loan to repay.'
}
