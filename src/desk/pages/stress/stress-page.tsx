import { Button, Group, NativeSelect, Slider, Stack, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { live } from '../../../console/data/live-keys.ts'
import { Loading } from '../../../console/parts/loading.tsx'
import { ProblemAlert } from '../../../console/parts/notice.tsx'
import { Page, Panel } from '../../../console/parts/page.tsx'
import { call } from '../../data/operator-api.ts'
import { type StressInput, useStress } from '../../data/stress.ts'
import { MarginTabs } from '../margin/margin-tabs.tsx'
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
  const [terms, setTerms] = useState('')
  const [settled] = useDebouncedValue(moves, SETTLE_MS)
  const [applied, setApplied] = useState<StressInput['policy']>()
  const [version, setVersion] = useState('')
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
      <TermsPanel text={terms} onChange={setTerms} onApply={setApplied}>
        <BoundTo version={version} onChange={setVersion} />
      </TermsPanel>
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

/** What if all loans were bound to one stored version. */
function BoundTo({ version, onChange }: { version: string; onChange: (version: string) => void }) {
  const { data } = useQuery({
    queryKey: live('margin-policy'),
    queryFn: ({ signal }) => call('listMarginPolicyVersions', { signal }),
  })
  const stored = data?.versions.filter(({ state }) => state !== 'withdrawn') ?? []
  return (
    <NativeSelect
      size="xs"
      label="As if every loan were bound to"
      value={version}
      onChange={(event) => onChange(event.currentTarget.value)}
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

type TermsProps = {
  text: string
  children: ReactNode
  onChange: (text: string) => void
  onApply: (terms: StressInput['policy']) => void
}

/** In the form of the command's policy file; what is not an object is refused here. */
function TermsPanel({ text, children, onChange, onApply }: TermsProps) {
  const [fault, setFault] = useState<string>()
  const apply = () => {
    const parsed = readTerms(text)
    setFault(parsed.fault)
    if (!parsed.fault) onApply(parsed.terms)
  }
  return (
    <Panel title="Margin terms">
      <Stack gap="xs">
        {children}
        <Textarea
          size="xs"
          label="Terms that differ from that version, or from those in force, as JSON"
          placeholder='{ "haircuts": { "BTC": "0.05" }, "critical_ltv": "0.82" }'
          autosize
          minRows={2}
          spellCheck={false}
          value={text}
          error={fault}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <Group>
          <Button size="xs" variant="default" onClick={apply}>
            Compare by these terms
          </Button>
        </Group>
      </Stack>
    </Panel>
  )
}

function readTerms(text: string): { terms?: NonNullable<StressInput['policy']>; fault?: string } {
  if (text.trim() === '') return {}
  try {
    const terms: unknown = JSON.parse(text)
    if (typeof terms === 'object' && terms !== null && !Array.isArray(terms)) return { terms }
  } catch {
    // Answered below.
  }
  return { fault: 'Expected a JSON object.' }
}
