import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Facts } from '../../../console/parts/facts.tsx'
import { Notice } from '../../../console/parts/notice.tsx'
import { type Answer, type Body, call } from '../../data/operator-api.ts'
import { Proposal } from '../../parts/reason-dialog.tsx'
import { ActButton } from './act-button.tsx'
import type { Terms } from './margin-terms.tsx'

const RATIOS = [
  { name: 'floor_ltv', label: 'Warned above' },
  { name: 'critical_ltv', label: 'Critical above' },
  { name: 'cure_ltv', label: 'Cured at or below' },
  { name: 'target_ltv', label: 'Sold down to' },
] as const

type Proposed = Answer<'proposeMarginPolicy'>

/** Starts from the terms that it would follow. */
export function ProposePolicy({ from }: { from: Terms }) {
  const [terms, setTerms] = useState(from)
  const [effectiveFrom, setEffectiveFrom] = useState('')
  const setTier = (at: number, change: Partial<Terms['tiers'][number]>) => {
    const tiers = terms.tiers.map((tier, index) => (index === at ? { ...tier, ...change } : tier))
    setTerms({ ...terms, tiers })
  }
  return (
    <ActButton
      act="margin_policy.set"
      label="Propose a version"
      title="Propose a version"
      about="For what is approved once it takes effect, at least 15 minutes after it is confirmed. Amend older facilities to it afterwards."
      run={(reason) =>
        call('proposeMarginPolicy', {
          body: {
            terms: toBody(terms),
            effective_from: effectiveFrom,
            reason,
          },
        })
      }
      result={(answer) => <Preview proposed={answer as Proposed} />}
    >
      <TextInput
        data-autofocus
        label="Effective from (UTC)"
        placeholder="2026-12-01T00:00:00Z"
        value={effectiveFrom}
        onChange={(event) => setEffectiveFrom(event.currentTarget.value)}
        required
      />
      <Group grow>
        {RATIOS.slice(0, 2).map((field) => (
          <Ratio key={field.name} {...field} terms={terms} onChange={setTerms} />
        ))}
      </Group>
      <Group grow>
        {RATIOS.slice(2).map((field) => (
          <Ratio key={field.name} {...field} terms={terms} onChange={setTerms} />
        ))}
      </Group>
      {terms.tiers.map(({ above_ltv: line, cure_hours: hours }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tier is its place.
        <Group grow key={at}>
          <TextInput
            label={`Tier ${at + 1} above`}
            value={line}
            onChange={(event) => setTier(at, { above_ltv: event.currentTarget.value })}
          />
          <TextInput
            type="number"
            label={`Tier ${at + 1}, hours`}
            value={String(hours)}
            onChange={(event) => setTier(at, { cure_hours: Number(event.currentTarget.value) })}
          />
        </Group>
      ))}
      <Group grow>
        {Object.entries(terms.haircuts).map(([asset, cut]) => (
          <TextInput
            key={asset}
            label={`Haircut ${asset}`}
            placeholder="not named"
            value={cut}
            onChange={(event) => {
              const haircuts = { ...terms.haircuts, [asset]: event.currentTarget.value }
              setTerms({ ...terms, haircuts })
            }}
          />
        ))}
      </Group>
    </ActButton>
  )
}

/** An empty haircut: the version does not name the asset. */
function toBody(terms: Terms): Body<'proposeMarginPolicy'>['terms'] {
  const haircuts = Object.entries(terms.haircuts).map(([asset, cut]) => [asset, cut || null])
  return {
    ...terms,
    haircuts: Object.fromEntries(haircuts),
  } as Body<'proposeMarginPolicy'>['terms']
}

type RatioProps = (typeof RATIOS)[number] & { terms: Terms; onChange: (terms: Terms) => void }

function Ratio({ name, label, terms, onChange }: RatioProps) {
  return (
    <TextInput
      label={label}
      value={terms[name]}
      onChange={(event) => onChange({ ...terms, [name]: event.currentTarget.value })}
    />
  )
}

function Preview({ proposed }: { proposed: Proposed }) {
  const { preview } = proposed
  const { warned_by_tier: warned } = preview
  return (
    <>
      {proposed.outcome === 'proposed' ? (
        <Proposal answer={proposed} />
      ) : (
        <Notice tone="calm" title="Stored. It takes effect at its instant." />
      )}
      <p>In the book of today it would change this:</p>
      <Facts
        items={[
          ['Warned, tier 1', warned[1]],
          ['Warned, tier 2', warned[2]],
          ['Warned, tier 3', warned[3]],
          ['Their debt, USD', preview.warned_debt_usd],
          ['Warning would rise', preview.worsened],
          ['Sold', preview.sold],
          ['Their debt, USD ', preview.sold_debt_usd],
          ['Relieved', preview.relieved],
        ]}
      />
    </>
  )
}
