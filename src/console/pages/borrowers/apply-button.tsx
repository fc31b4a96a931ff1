import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Borrower } from '../../../client/index.ts'
import { useChange } from '../../../pages/data/use-change.ts'
import { FormModal, GuardedButton } from '../../../pages/parts/forms.tsx'
import { service, useSession } from '../../data/console-api.ts'
import { refuseNoDecimal } from '../../parts/asset-fields.tsx'

type ApplyProps = { borrower: Borrower; hasFacility: boolean }

/** Applies for a facility; a borrower has one at a time. */
export function ApplyButton({ borrower, hasFacility }: ApplyProps) {
  const navigate = useNavigate()
  const isLive = useSession().stack === 'live'
  const [isOpen, setOpen] = useState(false)
  const form = useForm({
    initialValues: { limit: '', account: '' },
    validate: {
      limit: refuseNoDecimal,
      account: (value) =>
        isLive && value.trim() === '' ? 'Expected the account at the custodian.' : null,
    },
  })
  const close = () => {
    setOpen(false)
    apply.reset()
  }
  const apply = useChange({
    change: ({ limit, account }: typeof form.values, idempotencyKey) =>
      service.createFacility(
        {
          borrower_id: borrower.id,
          limit: { amount: limit, asset: 'USD' },
          ...(account !== '' && { custody_account: account }),
        },
        { idempotencyKey },
      ),
    onDone: ({ id }) => {
      close()
      void navigate({ to: '/facilities/$id', params: { id: id } })
    },
  })
  return (
    <>
      <GuardedButton
        scope="facility:write"
        reason={reasonOf(borrower, hasFacility)}
        onClick={() => setOpen(true)}
      >
        Apply for a facility
      </GuardedButton>
      <FormModal
        title="Apply for a facility"
        submit="Apply"
        isOpen={isOpen}
        isPending={apply.isPending}
        error={apply.error}
        onClose={close}
        onSubmit={form.onSubmit((values) => apply.mutate(values))}
      >
        <TextInput
          label="Limit in USD"
          placeholder="40000.00"
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps('limit')}
        />
        <TextInput
          label="Account at the custodian"
          description={isLive ? undefined : 'Not needed on the sandbox.'}
          placeholder="custody-0815"
          autoComplete="off"
          {...form.getInputProps('account')}
        />
      </FormModal>
    </>
  )
}

function reasonOf({ eligible }: Borrower, hasFacility: boolean): string | undefined {
  if (!eligible) return 'The borrower is not eligible yet.'
  return hasFacility ? 'The borrower already has a facility.' : undefined
}
