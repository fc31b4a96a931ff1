import { Group } from '@mantine/core'
import { TextField } from '../../../pages/parts/fields.tsx'
import { PercentInput } from '../../parts/percent.tsx'
import type { Terms } from './margin-terms.tsx'

const RATIOS = [
  { name: 'floor_ltv', label: 'Warned above' },
  { name: 'critical_ltv', label: 'Critical above' },
  { name: 'cure_ltv', label: 'Cured at or below' },
  { name: 'target_ltv', label: 'Sold down to' },
] as const

type TermsProps = { terms: Terms; onChange: (terms: Terms) => void; size?: 'xs' | 'sm' }

/** Lines, hours and haircuts. */
export function TermsFields({ terms, onChange, size = 'sm' }: TermsProps) {
  const setTier = (at: number, change: Partial<Terms['tiers'][number]>) => {
    const tiers = terms.tiers.map((tier, index) => (index === at ? { ...tier, ...change } : tier))
    onChange({ ...terms, tiers })
  }
  return (
    <>
      {[RATIOS.slice(0, 2), RATIOS.slice(2)].map((pair) => (
        <Group grow key={pair[0]?.name}>
          {pair.map(({ name, label }) => (
            <PercentInput
              key={name}
              size={size}
              label={label}
              value={terms[name]}
              onChange={(ratio) => onChange({ ...terms, [name]: ratio })}
            />
          ))}
        </Group>
      ))}
      {terms.tiers.map(({ above_ltv: line, cure_hours: hours }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tier is its place.
        <Group grow key={at}>
          <PercentInput
            size={size}
            label={`Tier ${at + 1} above`}
            value={line}
            onChange={(ratio) => setTier(at, { above_ltv: ratio })}
          />
          <TextField
            size={size}
            type="number"
            label={`Tier ${at + 1}, hours`}
            value={String(hours)}
            onChange={(value) => setTier(at, { cure_hours: Number(value) })}
          />
        </Group>
      ))}
      <Group grow>
        {Object.entries(terms.haircuts).map(([asset, cut]) => (
          <PercentInput
            key={asset}
            size={size}
            label={`Haircut ${asset}`}
            placeholder="not named"
            value={cut}
            onChange={(ratio) =>
              onChange({ ...terms, haircuts: { ...terms.haircuts, [asset]: ratio } })
            }
          />
        ))}
      </Group>
    </>
  )
}
