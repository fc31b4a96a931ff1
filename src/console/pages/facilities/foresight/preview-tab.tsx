import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { Empty, Loading, Panel, ProblemAlert } from '../../../../pages/parts/page.tsx'
import { service } from '../../../data/console-api.ts'
import { facilityKey, useLevels } from '../../../data/lending.ts'
import type { PreviewActs } from '../../../data/lending-types.ts'
import classes from './preview.module.css'
import { PreviewAnswer } from './preview-answer.tsx'
import { PreviewForm } from './preview-form.tsx'

/** What would follow from acts, prices and days: nothing is changed. */
export function PreviewTab({ facility }: { facility: Facility }) {
  const [acts, setActs] = useState<PreviewActs>()
  const isApproved = facility.state === 'APPROVED'
  const { data: now, error: unread } = useLevels(facility.id, isApproved)
  const { data, error, isFetching } = useQuery({
    queryKey: facilityKey(facility.id, 'preview', acts),
    queryFn: ({ signal }) => service.previewFacility(facility.id, acts, { signal }),
    placeholderData: keepPreviousData,
    enabled: acts !== undefined,
  })
  if (!isApproved) {
    return (
      <Panel title="What if" flush>
        <Empty title="Only an approved facility has a preview">
          This one is {facility.state.toLowerCase()}.
        </Empty>
      </Panel>
    )
  }
  return (
    <div className={classes.both}>
      <Panel title="What if">
        <PreviewForm isPending={isFetching} onAsk={setActs} />
      </Panel>
      <Panel title="Now, and then" flush>
        <ProblemAlert error={error ?? unread} />
        {acts === undefined && (
          <Empty title="Nothing was asked yet">
            Choose what would happen and press Preview. Nothing is changed: the same rules answer
            that decide about the loan.
          </Empty>
        )}
        {acts !== undefined && !data && !error && <Loading lines={6} />}
        {data && now && <PreviewAnswer now={now} then={data} terms={facility.terms} />}
      </Panel>
    </div>
  )
}
