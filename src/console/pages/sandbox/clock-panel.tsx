import { Group, NumberInput, Select, Stack } from '@mantine/core'
import { useRef, useState } from 'react'
import { formatSeconds, secondsBetween } from '../../../pages/data/figures.ts'
import { useChange } from '../../../pages/data/use-change.ts'
import { GuardedButton } from '../../../pages/parts/forms.tsx'
import { Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { formatUtc, Time } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import { keepClock, useSandboxClock, useTenantNow } from '../../data/tenant-clock.ts'
import classes from './sandbox.module.css'

const JUMPS = [
  { seconds: 61, label: '+ 61 s', about: 'A price has held for a minute' },
  { seconds: 3_600, label: '+ 1 h', about: 'An hour' },
  { seconds: 12 * 3_600, label: '+ 12 h', about: 'Half a day' },
  { seconds: 49 * 3_600, label: '+ 49 h', about: 'Past the deadline of tier 1' },
  { seconds: 30 * 86_400, label: '+ 30 d', about: 'A month of interest' },
] as const

const UNITS = [
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
]

/** Real time and the sandbox's differ by less while nothing was set ahead. */
const AHEAD_SECONDS = 5

/** Until an advance that was begun here shows its goal. */
const FAST_POLL_MS = 500

export function ClockPanel() {
  const [isAdvancing, setAdvancing] = useState(false)
  const { data: clock, error } = useSandboxClock({ pollMs: isAdvancing ? FAST_POLL_MS : undefined })
  /** Begun here, by a signed request or by a colleague. */
  const isUnderWay = isAdvancing || clock?.goal !== undefined
  const now = useTenantNow()
  const ahead = secondsBetween(new Date(), now)
  const advance = useChange({
    change: (seconds: number, idempotencyKey) => {
      setAdvancing(true)
      return service
        .advanceSandboxClock(seconds, { idempotencyKey })
        .finally(() => setAdvancing(false))
    },
    onDone: keepClock,
  })
  return (
    <Panel title="Clock">
      <Stack gap="md">
        <ProblemAlert error={error} />
        <div>
          <div className={classes.big} data-testid="clock">
            {clock ? formatUtc(now.toISOString()) : '…'} <small className="quiet">UTC</small>
          </div>
          <div className="quiet">
            {ahead > AHEAD_SECONDS
              ? `${formatSeconds(ahead)} ahead of real time`
              : 'The same as real time'}
          </div>
        </div>
        {clock && isUnderWay && <ClockProgress now={clock.now} goal={clock.goal} />}
        <div className={classes.jumps}>
          {JUMPS.map(({ seconds, label, about }) => (
            <GuardedButton
              key={seconds}
              scope="facility:write"
              variant="default"
              title={about}
              reason={isUnderWay ? 'The clock is advancing.' : undefined}
              onClick={() => advance.mutate(seconds)}
            >
              {label}
            </GuardedButton>
          ))}
        </div>
        <CustomJump isUnderWay={isUnderWay} onJump={advance.mutate} />
        <ProblemAlert error={advance.error} />
        <p className="quiet">
          The clock moves deadlines, interest and the age of prices and portfolios. After a leap,
          push a portfolio again before you draw.
        </p>
      </Stack>
    </Panel>
  )
}

function CustomJump({
  isUnderWay,
  onJump,
}: {
  isUnderWay: boolean
  onJump: (seconds: number) => void
}) {
  const [count, setCount] = useState<number | string>(1)
  const [unit, setUnit] = useState('86400')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onJump(Number(count) * Number(unit))
      }}
    >
      <Group gap="xs" align="end">
        <NumberInput
          size="xs"
          label="Set it ahead by"
          w={110}
          min={0}
          allowDecimal={false}
          value={count}
          onChange={setCount}
        />
        <Select
          size="xs"
          aria-label="Unit"
          w={110}
          data={UNITS}
          allowDeselect={false}
          value={unit}
          onChange={(value) => setUnit(value ?? '1')}
        />
        <GuardedButton
          scope="facility:write"
          type="submit"
          reason={isUnderWay ? 'The clock is advancing.' : undefined}
        >
          Advance
        </GuardedButton>
      </Group>
    </form>
  )
}

type ProgressProps = { now: string; goal: string | undefined }

/** Shows the progress of an advance, also of one begun elsewhere. It is measured from the clock's time when
 * this component first saw the advance. */
function ClockProgress({ now, goal }: ProgressProps) {
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
