import { useRef } from 'react'
import { formatSeconds, secondsBetween } from '../../data/figures/durations.ts'
import { Time } from '../../parts/time.tsx'
import classes from './sandbox.module.css'

type ProgressProps = { now: string; goal: string | undefined }

/** Of an advance, wherever it was begun: from where the clock stood when it was first seen. */
export function ClockProgress({ now, goal }: ProgressProps) {
  const begun = useRef({ goal, from: now })
  const isAnother = begun.current.goal !== undefined && begun.current.goal !== goal
  begun.current = { goal, from: isAnother ? now : begun.current.from }
  const passed = Math.max(0, secondsBetween(begun.current.from, now))
  const whole = goal === undefined ? undefined : secondsBetween(begun.current.from, goal)
  return (
    <div role="status" className={classes.advancing}>
      <div>
        Advancing
        {goal !== undefined && (
          <>
            {' '}
            to <Time at={goal} />
          </>
        )}
        .
      </div>
      <progress
        aria-label="Advance of the clock"
        max={whole && Math.max(1, whole)}
        value={whole && Math.min(passed, whole)}
      />
      <p className="quiet">
        {whole !== undefined && `${formatSeconds(passed)} of ${formatSeconds(whole)}. `}
        Everything due on the way happens at its own time. It goes on while you read other pages.
      </p>
    </div>
  )
}
