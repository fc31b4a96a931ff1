import { Button } from '@mantine/core'
import classes from '../../../pages/lending/lending.module.css'
import { Empty, Loading, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { groupDigits, Time } from '../../../pages/parts/values.tsx'
import { type FacilityPath, type TimelineEntry, useTimeline } from '../../data/margin.ts'
import { DecisionEntry } from './decision-entry.tsx'
import { CallLink, WarningLink } from './margin-links.tsx'

const HEADLINES: Record<TimelineEntry['source'], string> = {
  decision: 'Decision',
  repayment_requested: 'Repayment requested',
  repayment_reported: 'Repayment reported',
  repayment_confirmed: 'Repayment confirmed',
  repayment_returned: 'Repayment returned',
  call_started: 'Margin call began',
  order_placed: 'Order placed',
  order_filled: 'Order filled',
  call_ended: 'Margin call ended',
}

/** By which a dot is coloured; a decision has its own. */
const KINDS: Partial<Record<TimelineEntry['source'], string>> = {
  repayment_confirmed: 'cure',
  repayment_returned: 'call',
  call_started: 'call',
  order_placed: 'call',
  order_filled: 'call',
  call_ended: 'call',
}

/** What happened to the margin of a facility, newest first. */
export function TimelinePanel({ of }: { of: FacilityPath }) {
  const { rows, error, isPending, isMore, isReadingMore, readMore } = useTimeline(of)
  return (
    <Panel title="Timeline">
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {!isPending && !error && rows.length === 0 && (
        <Empty title="Nothing has happened to its margin">
          Warnings, repayments, margin calls, orders and fills appear here.
        </Empty>
      )}
      {rows.length > 0 && (
        <ol className={classes.story} aria-label="Timeline">
          {rows.map((entry) => (
            <Entry key={keyOf(entry)} of={of} entry={entry} />
          ))}
        </ol>
      )}
      {isMore && (
        <Button size="xs" variant="default" loading={isReadingMore} onClick={readMore}>
          Show earlier
        </Button>
      )}
    </Panel>
  )
}

function Entry({ of, entry }: { of: FacilityPath; entry: TimelineEntry }) {
  const { decision, source, warning_number: warning, call_number: call } = entry
  return (
    <li data-kind={decision?.kind ?? KINDS[source]}>
      <Time at={entry.at} /> {warning !== null && <WarningLink {...of} number={warning} />}{' '}
      {call !== null && <CallLink {...of} number={call} />}
      {decision ? (
        <DecisionEntry decision={decision} />
      ) : (
        <>
          <h3>{HEADLINES[source]}</h3>
          <p className={classes.first}>{groupAmounts(entry.summary)}</p>
        </>
      )}
    </li>
  )
}

/** The service writes amounts as the API does, without separators. */
const groupAmounts = (text: string) => text.replace(/\d+\.\d{2,}(?= [A-Z])/g, groupDigits)

function keyOf({ at, source, ...entry }: TimelineEntry): string {
  const { warning_number, call_number, repayment_id, order, decision } = entry
  const numbers = [warning_number, call_number, repayment_id, order?.number, decision?.number]
  return [at, source, ...numbers].join(' ')
}
