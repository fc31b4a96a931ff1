import { Link } from '@tanstack/react-router'
import type { Facility } from '../../../client/index.ts'
import { Cures } from '../../../pages/lending/values.tsx'
import { Notice, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Money, Time } from '../../../pages/parts/values.tsx'
import { useWarnings } from '../../data/lending.ts'
import { Countdown } from './countdown.tsx'

/** What cures the open warning, and until when. */
export function OpenWarning({ facility }: { facility: Facility }) {
  const { id: facilityId, on_hold: hold } = facility
  const { data, error } = useWarnings(facilityId)
  const warning = data?.items.find(({ status }) => status === 'OPEN')
  if (!warning) return <ProblemAlert error={error} />
  const { number, tier, cure_deadline: deadline, if_escalated: sale } = warning
  return (
    <Notice tone="warn" title={`Warning ${number} is open at tier ${tier}`}>
      {hold ? (
        'On hold: the deadline stands still, and nothing is sold.'
      ) : (
        <>
          <Countdown to={deadline} />, until <Time at={deadline} />.
        </>
      )}{' '}
      What cures it: <Cures of={warning} />.
      {sale && !hold && (
        <>
          {' '}
          Otherwise collateral worth <Money amount={sale.sale_usd} /> would be sold, by the debt and
          prices of now.
        </>
      )}{' '}
      <Link
        to="/facilities/$id"
        params={{ id: facilityId }}
        search={{ tab: 'margin' }}
        style={{ color: 'inherit', textDecoration: 'underline' }}
      >
        Why?
      </Link>
    </Notice>
  )
}
