import { Button, Group, Slider, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { SelectField } from '../../../pages/parts/fields.tsx'
import { Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type StressInput, useStress } from '../../data/stress.ts'
import { MarginTabs } from '../margin/margin-tabs.tsx'
import {
  type Policy,
  type Terms,
  termsInForce,
  toChange,
  usePolicy,
} from '../policy/margin-terms.tsx'
import { TermsFields } from '../policy/terms-fields.tsx'
import { ComparisonTables } from './comparison.tsx'

const ASSETS = ['BTC', 'ETH', 'USDC'] as const

type Moves = Record<(typeof ASSETS)[number], number>

const NO_MOVES: Moves = { BTC: 0, ETH: 0, USDC: 0 }

/** Percent; a price falls by less than 100. */
const SPAN = { min: -95, max: 50, step: 1 }
const MARKS = [-75, -50, -25, 0, 25].map((value) => ({ value, label: `${value} %` }))

const SETTLE_MS = 300

export function StressPage() {
  const [moves, setMoves] = useState(NO_MOVES)
  const { data: policy } = usePolicy()
  const [settled] = useDebouncedValue(moves, SETTLE_MS)
  const [applied, setApplied] = useState<StressInput['policy']>()
  const [version, setVersion] = useState('')
  const chooseVersion = (chosen: string) => {
    setVersion(chosen)
    setApplied(undefined)
  }
  const input = toInput(settled, applied, version)
  const { data, error, isFetching } = useStress(input)
  return (
    <Page
      title="Stress"
      about="What the book would come to if prices moved at once and stayed, beside the book of today. Nothing is changed."
    >
      <MarginTabs />
      <Panel
        title="Prices"
        actions={
          <Button size="compact-sm" variant="default" onClick={() => setMoves(NO_MOVES)}>
            As they are
          </Button>
        }
      >
        <Stack gap="xl" pb="lg">
          {ASSETS.map((asset) => (
            <Move
              key={asset}
              asset={asset}
              percent={moves[asset]}
              onChange={(percent) => setMoves({ ...moves, [asset]: percent })}
            />
          ))}
        </Stack>
      </Panel>
      {policy && (
        <TermsPanel
          key={version}
          terms={termsOf(policy, version) ?? termsInForce(policy)}
          onApply={setApplied}
        >
          <BoundTo policy={policy} version={version} onChange={chooseVersion} />
        </TermsPanel>
      )}
      <ProblemAlert error={error} />
      {!data && !error && <Loading />}
      {data && <ComparisonTables comparison={data} isOld={isFetching} />}
    </Page>
  )
}

function toInput(moves: Moves, policy: StressInput['policy'], version: string): StressInput {
  const prices = ASSETS.flatMap((asset) =>
    moves[asset] === 0 ? [] : [{ asset, change_percent: String(moves[asset]) }],
  )
  return {
    prices,
    ...(version !== '' && { policy_version: Number(version) }),
    ...(policy && { policy }),
  }
}

type MoveProps = { asset: string; percent: number; onChange: (percent: number) => void }

function Move({ asset, percent, onChange }: MoveProps) {
  const text = percent > 0 ? `+${percent} %` : `${percent} %`
  return (
    <div>
      <Group justify="space-between">
        <strong>{asset}</strong>
        <output className="figures">{percent === 0 ? 'as it is' : text}</output>
      </Group>
      <Slider
        {...SPAN}
        marks={MARKS}
        thumbLabel={`Change of ${asset} in percent`}
        label={text}
        value={percent}
        onChange={onChange}
      />
    </div>
  )
}

type BoundToProps = { policy: Policy; version: string; onChange: (version: string) => void }

/** What if all loans were bound to one stored version. */
function BoundTo({ policy, version, onChange }: BoundToProps) {
  const stored = policy.versions.filter(({ state }) => state !== 'withdrawn')
  return (
    <SelectField
      size="xs"
      label="As if every loan were bound to"
      value={version}
      onChange={onChange}
      data={[
        { value: '', label: 'its own version' },
        { value: '0', label: "version 0, the service's own" },
        ...stored.map((one) => ({
          value: String(one.version),
          label: `version ${one.version}, ${one.note}`,
        })),
      ]}
    />
  )
}

/** Undefined: each loan has its own. */
function termsOf({ versions, own_terms: own }: Policy, version: string): Terms | undefined {
  if (version === '0') return own
  return versions.find((one) => String(one.version) === version)?.terms
}

type TermsProps = {
  terms: Terms
  children: ReactNode
  onApply: (terms: StressInput['policy']) => void
}

/** Starts from the terms of the version, or in force; those that were changed are compared. */
function TermsPanel({ terms: base, children, onApply }: TermsProps) {
  const [terms, setTerms] = useState(base)
  const [opened, setOpened] = useState(0)
  const reset = () => {
    setTerms(base)
    // The fields keep what was typed.
    setOpened(opened + 1)
    onApply(undefined)
  }
  return (
    <Panel
      title="Margin terms"
      actions={
        <Button size="compact-sm" variant="default" onClick={reset}>
          As they are
        </Button>
      }
    >
      <Stack gap="xs">
        {children}
        <TermsFields key={opened} size="xs" terms={terms} onChange={setTerms} />
        <Group>
          <Button size="xs" variant="default" onClick={() => onApply(changedOf(base, terms))}>
            Compare by these terms
          </Button>
        </Group>
      </Stack>
    </Panel>
  )
}

/** The members that differ, whole; undefined: none. */
function changedOf(before: Terms, after: Terms): StressInput['policy'] {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const changed = Object.entries(toChange(after)).filter(
    ([name, value]) => !isSame(value, before[name as keyof Terms]),
  )
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as StressInput['policy'])
}
