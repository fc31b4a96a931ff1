import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '../../../../pages/parts/fields.tsx'
import { Facts, Loading, Panel, ProblemAlert } from '../../../../pages/parts/page.tsx'
import { Money, Time } from '../../../../pages/parts/values.tsx'
import { service } from '../../../data/console-api.ts'
import { facilityKey } from '../../../data/lending.ts'

/** What closes the facility, now or on a day. */
export function PayoffPanel({ facilityId }: { facilityId: string }) {
  const [day, setDay] = useState('')
  const query = day === '' ? {} : { at: `${day}T12:00:00.000Z` }
  const { data, error } = useQuery({
    queryKey: facilityKey(facilityId, 'payoff', day),
    queryFn: ({ signal }) => service.getPayoff(facilityId, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  return (
    <Panel
      title="Payoff"
      actions={
        <TextField
          type="date"
          size="xs"
          aria-label="Payoff at noon (UTC) of this day; now without one"
          title="At noon (UTC) of this day; now without one"
          value={day}
          onChange={setDay}
        />
      }
    >
      <ProblemAlert error={error} />
      {!data && !error && <Loading lines={2} />}
      {data && (
        <Facts
          items={[
            [
              'Closes it',
              <strong key="total">
                <Money amount={data.total} />
              </strong>,
            ],
            ['At', <Time key="at" at={data.at} />],
            ['Principal', <Money key="principal" amount={data.principal} />],
            ['Interest', <Money key="interest" amount={data.interest} />],
            ['Each further day', <Money key="day" amount={data.per_day} />],
            ['A cent more from', <Time key="rises" at={data.rises_at} />],
          ]}
        />
      )}
    </Panel>
  )
}
