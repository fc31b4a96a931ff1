import { Loader } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FacilityStatus, HealthStatus } from '../../../pages/lending/values.tsx'
import { Money, ResourceId, Time } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import { facilityKey, useFacility, useLevels } from '../../data/lending.ts'
import { HealthGauge } from '../facilities/health/health-gauge.tsx'
import { gaugeLines } from '../facilities/health/lines.ts'
import { OpenWarning } from '../margin/open-warning.tsx'
import type { Performance, PlayedStep } from './play-story.ts'
import classes from './sandbox.module.css'

/** Steps on one side, and on the other what they do to the loan. */
export function StoryStage({ performance }: { performance: Performance }) {
  const { steps, facilityId } = performance
  return (
    <div className={classes.stage}>
      <ol className={classes.steps} aria-label="Steps">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a story may have a step twice.
          <li key={at} data-state={step.state}>
            <StepIcon state={step.state} />
            <span>{step.title}</span>
            {step.note !== undefined && <span className={classes.note}>{step.note}</span>}
          </li>
        ))}
      </ol>
      <div>
        {facilityId === undefined ? (
          <p className="quiet">The loan appears here as soon as it is applied for.</p>
        ) : (
          <StoryLoan facilityId={facilityId} />
        )}
      </div>
    </div>
  )
}

function StepIcon({ state }: { state: PlayedStep['state'] }) {
  if (state === 'playing') return <Loader size={16} aria-label="Playing" />
  if (state === 'done') return <IconCircleCheckFilled size={18} aria-label="Done" />
  if (state === 'failed') return <IconCircleXFilled size={18} aria-label="Failed" />
  return <IconCircle size={18} aria-label="Waiting" />
}

function StoryLoan({ facilityId }: { facilityId: string }) {
  const { data: facility } = useFacility(facilityId)
  const { data: levels } = useLevels(facilityId, facility?.state === 'APPROVED')
  if (!facility) return null
  return (
    <>
      <div style={{ alignItems: 'center', display: 'flex', flexWrap: 'wrap', gap: 8 }}>
        <ResourceId value={facilityId} />
        <FacilityStatus of={facility.state} />
        {facility.state === 'APPROVED' && <HealthStatus of={facility.health} />}
        <span>
          owes <Money amount={facility.outstanding.total} />
        </span>
      </div>
      {facility.state === 'APPROVED' && (
        <div style={{ margin: '14px 0 8px' }}>
          <HealthGauge ltv={levels?.ltv ?? facility.ltv} lines={gaugeLines(facility.terms)} />
        </div>
      )}
      {facility.health === 'WARNING' && <OpenWarning facility={facility} />}
      <StoryEvents facilityId={facilityId} />
    </>
  )
}

/** As they arrive, newest first. */
function StoryEvents({ facilityId }: { facilityId: string }) {
  const { data } = useQuery({
    queryKey: facilityKey(facilityId, 'events'),
    queryFn: ({ signal }) =>
      service.listEvents({ facility_id: facilityId, limit: 500 }, { signal }),
    refetchInterval: 2_000,
  })
  const events = data?.items.toReversed() ?? []
  return (
    <section aria-label="Events" style={{ marginTop: 16 }}>
      <h3>Events</h3>
      <ol className={classes.events} aria-live="polite">
        {events.map(({ id, type, occurred_at: at }) => (
          <li key={id}>
            <Link to="/events/$id" params={{ id }} className="mono">
              {type}
            </Link>
            <Time at={at} />
          </li>
        ))}
      </ol>
    </section>
  )
}
