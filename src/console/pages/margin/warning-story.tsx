import type { MarginCall, MarginWarning } from '../../../client/index.ts'
import { explainDecision } from '../../../pages/lending/explain-decision.ts'
import classes from '../../../pages/lending/lending.module.css'
import { CallStatus, Cures, WarningStatus } from '../../../pages/lending/values.tsx'
import { Why } from '../../../pages/lending/why.tsx'
import { Loading, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Money, Time } from '../../../pages/parts/values.tsx'
import { useDecisions } from '../../data/lending.ts'
import { CallView } from './call-view.tsx'
import { Countdown } from './countdown.tsx'

type StoryProps = { warning: MarginWarning; call: MarginCall | undefined }

/** Raised, worsened, then cured or escalated and sold. */
export function WarningStory({ warning, call }: StoryProps) {
  const { facility_id: facilityId, number, status, tier } = warning
  const { data, error, isPending } = useDecisions(facilityId, number)
  return (
    <Panel
      title={`Warning ${number}`}
      actions={
        <>
          <span className="quiet">tier {tier}</span>
          <WarningStatus of={status} />
        </>
      }
    >
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      <ol className={classes.story}>
        {data?.map((decision) => {
          const { headline, reasons, recomputed } = explainDecision(decision)
          return (
            <li key={decision.number} data-kind={decision.kind}>
              <Time at={decision.decided_at} />
              <h3>{headline}</h3>
              <p className={classes.first}>{reasons[1] ?? reasons[0]}</p>
              <Why decision={decision} reasons={reasons} recomputed={recomputed} />
            </li>
          )
        })}
        {status === 'OPEN' && <Pending warning={warning} />}
        {call && (
          <li data-kind="call">
            <Time at={call.started_at ?? warning.escalated_at} />
            <h3>
              Margin call {call.number} <CallStatus of={call.status} />
            </h3>
            <CallView call={call} />
          </li>
        )}
      </ol>
    </Panel>
  )
}

/** What comes next, while nothing has happened yet. */
function Pending({ warning }: { warning: MarginWarning }) {
  const { cure_deadline: deadline, extended_seconds: extended, if_escalated: sale } = warning
  return (
    <li data-kind="next">
      <Time at={deadline} />
      <h3>
        Deadline, <Countdown to={deadline} />
      </h3>
      <p className={classes.first}>
        Cured by <Cures of={warning} />.
        {sale && (
          <>
            {' '}
            Otherwise collateral worth <Money amount={sale.sale_usd} /> would be sold, by the debt
            and prices of now.
          </>
        )}
        {extended > 0 && ` The deadline was moved by ${extended} s.`}
      </p>
    </li>
  )
}
