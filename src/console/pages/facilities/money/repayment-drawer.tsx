import { Drawer, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Repayment } from '../../../../client/index.ts'
import { RepaymentStatus } from '../../../../pages/lending/values.tsx'
import { Facts, Loading, Notice, ProblemAlert } from '../../../../pages/parts/page.tsx'
import { Id, Money, Time } from '../../../../pages/parts/values.tsx'
import { service } from '../../../data/console-api.ts'
import { facilityKey } from '../../../data/lending.ts'
import { Instructions } from './instructions.tsx'
import { ReportForm } from './report-form.tsx'
import { Waterfall } from './waterfall.tsx'

type DrawerProps = { facilityId: string; repaymentId: string | undefined; onClose: () => void }

export function RepaymentDrawer({ facilityId, repaymentId, onClose }: DrawerProps) {
  return (
    <Drawer
      opened={repaymentId !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title="Repayment"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {repaymentId !== undefined && (
        <RepaymentDetails facilityId={facilityId} repaymentId={repaymentId} />
      )}
    </Drawer>
  )
}

function RepaymentDetails({
  facilityId,
  repaymentId,
}: Record<'facilityId' | 'repaymentId', string>) {
  const { data: repayment, error } = useQuery({
    queryKey: facilityKey(facilityId, 'repayment', repaymentId),
    queryFn: ({ signal }) => service.getRepayment(facilityId, repaymentId, { signal }),
    refetchInterval: 3_000,
  })
  if (!repayment) return error ? <ProblemAlert error={error} /> : <Loading />
  return (
    <Stack gap="lg">
      <Facts items={factsOf(repayment)} />
      {repayment.status === 'FAILED' && (
        <Notice tone="bad" title="It was not applied">
          {repayment.failure === 'not_received'
            ? 'The treasury has not received it.'
            : `The treasury answered ${repayment.failure}.`}
        </Notice>
      )}
      {repayment.in_suspense && (
        <Notice tone="calm" title="More was received than was reported">
          The lender applies the rest, as a repayment of its own, or returns it.
        </Notice>
      )}
      {repayment.split_from === undefined && (
        <Instructions steps={repayment.instructions} isDone={repayment.status === 'APPLIED'} />
      )}
      {repayment.status === 'PENDING' && <ReportForm repayment={repayment} />}
      {repayment.status === 'REPORTED' && (
        <Notice tone="calm" title="Reported">
          It is applied as soon as the treasury confirms that it has arrived.
        </Notice>
      )}
      {repayment.allocation && <Waterfall allocation={repayment.allocation} />}
    </Stack>
  )
}

function factsOf(repayment: Repayment): (readonly [string, ReactNode])[] {
  const { id, status, amount, asset, margin_warning_number: number, reference } = repayment
  const { confirmed, in_suspense: rest, value_date: valueDate, final_at: finalAt } = repayment
  const { split_from: whole } = repayment
  return [
    ['Repayment', <Id key="id" value={id} />],
    ...(whole === undefined ? [] : [['Part of', <Whole key="whole" of={repayment} />] as const]),
    ['Status', <RepaymentStatus key="status" of={status} />],
    ['Announced', <Money key="amount" amount={amount} asset={asset} />],
    ['Cures', number === undefined ? 'No warning' : `Warning ${number}`],
    ['Requested', <Time key="requested" at={repayment.requested_at} />],
    ['Reported', <Time key="reported" at={repayment.reported_at} />],
    ['Applied', <Time key="applied" at={repayment.applied_at} />],
    ...(reference === undefined ? [] : [['Reference', reference] as const]),
    ...(confirmed ? [['Arrived', <Money key="confirmed" {...confirmed} />] as const] : []),
    ...(rest ? [['Beyond that, in suspense', <Money key="suspense" {...rest} />] as const] : []),
    ...(valueDate ? [['Counts from', <Time key="value" at={valueDate} />] as const] : []),
    ...(finalAt ? [['Can be taken back until', <Time key="final" at={finalAt} />] as const] : []),
  ]
}

/** The repayment of whose receipt this one is a part. */
function Whole({ of: { facility_id: id, split_from: whole = '' } }: { of: Repayment }) {
  const search = { tab: 'repayments', repayment: whole }
  return (
    <Id value={whole}>
      <Link to="/facilities/$id" params={{ id }} search={search} resetScroll={false}>
        {whole}
      </Link>
    </Id>
  )
}
