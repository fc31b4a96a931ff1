import { Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Repayment } from '../../../../client/index.ts'
import { useChange } from '../../../../pages/data/use-change.ts'
import { GuardedButton } from '../../../../pages/parts/forms.tsx'
import { ProblemAlert } from '../../../../pages/parts/page.tsx'
import { service } from '../../../data/console-api.ts'
import { MoneyFields, refuseNoDecimal } from '../../../parts/asset-fields.tsx'

type Report = { amount: string; asset: string; reference: string }

/** Reports how a repayment was carried out. */
export function ReportForm({ repayment }: { repayment: Repayment }) {
  const form = useForm<Report>({
    initialValues: { amount: repayment.amount, asset: repayment.asset, reference: '' },
    validate: {
      amount: refuseNoDecimal,
      reference: (value) =>
        value.trim() === '' ? 'Expected the reference of the transfer.' : null,
    },
  })
  const report = useChange({
    change: ({ amount, asset, reference }: Report, idempotencyKey) =>
      service.reportExecution(
        repayment.facility_id,
        repayment.id,
        { status: 'completed', delivered: { amount, asset }, reference },
        { idempotencyKey },
      ),
  })
  return (
    <form onSubmit={form.onSubmit((values) => report.mutate(values))} aria-label="Report">
      <Stack gap="sm">
        <h3>Report what was delivered</h3>
        <MoneyFields form={form} label="Delivered" />
        <TextInput
          label="Reference"
          description="Of the transfer, such as a wire's number or a transaction's hash."
          placeholder="wire-20261122-7"
          autoComplete="off"
          {...form.getInputProps('reference')}
        />
        <ProblemAlert error={report.error} />
        <Group justify="flex-end">
          <GuardedButton scope="repayment:write" type="submit" loading={report.isPending}>
            Report as completed
          </GuardedButton>
        </Group>
      </Stack>
    </form>
  )
}
