import { useState } from 'react'
import { fromPercent } from '../../../pages/data/figures.ts'
import { SelectField, TextField } from '../../../pages/parts/fields.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { Difference } from '../../parts/difference.tsx'
import { ResidencyEffect } from '../policy/effects.tsx'
import { ActButton } from './act-button.tsx'

type Rule = Schemas['ResidencyRule']
type BorrowerType = Rule['borrower_type']

const NONE = { country: '', state: '', rate: '', max_limit_usd: '' }

const TEXTS = [
  { name: 'country', label: 'Country', placeholder: 'US', description: 'ISO 3166-1 alpha-2' },
  { name: 'state', label: 'State', placeholder: 'CA', description: 'For the US alone' },
  { name: 'rate', label: 'Annual rate, %', placeholder: '9.5', description: 'Empty: the default' },
  {
    name: 'max_limit_usd',
    label: 'Maximum limit in USD',
    placeholder: '250000.00',
    description: 'Empty: the maximum of the service',
  },
] as const

/** Shows how it differs from the rule before, and what of the book it is about. */
export function SetRule({ rules }: { rules: readonly Rule[] }) {
  const [texts, setTexts] = useState(NONE)
  const [type, setType] = useState<BorrowerType>('individual')
  const [answer, setAnswer] = useState('yes')
  const allowed = answer === 'yes'
  const { country, state, rate, max_limit_usd: most } = texts
  const rule = {
    allowed,
    rate: allowed && rate !== '' ? fromPercent(rate.trim()) : null,
    max_limit_usd: allowed && most !== '' ? most : null,
  }
  const former = rules.find(
    (one) => one.country === country && (one.state ?? '') === state && one.borrower_type === type,
  )
  const shown = allowed ? TEXTS : TEXTS.slice(0, 2)
  return (
    <ActButton
      act="residency.set"
      label="Set a rule"
      title="Set the rule of a place"
      about="It replaces the whole rule before it. The rule of a state takes precedence over that of its country."
      run={(reason) =>
        call('setResidencyRule', {
          body: {
            ...{ country, borrower_type: type, allowed, reason },
            ...(state !== '' && { state }),
            ...(rule.rate !== null && { rate: rule.rate }),
            ...(rule.max_limit_usd !== null && { max_limit_usd: rule.max_limit_usd }),
          },
        })
      }
    >
      <SelectField
        label="Borrower"
        value={type}
        data={['individual', 'business']}
        onChange={setType}
      />
      <SelectField
        label="May they borrow?"
        value={answer}
        data={['yes', 'no']}
        onChange={setAnswer}
      />
      {shown.map(({ name, ...field }) => (
        <TextField
          key={name}
          {...field}
          value={texts[name]}
          onChange={(value) => setTexts({ ...texts, [name]: value })}
        />
      ))}
      {country.length === 2 && (
        <>
          <Difference before={former ? ruleOf(former) : null} after={rule} />
          <ResidencyEffect country={country} />
        </>
      )}
    </ActButton>
  )
}

const ruleOf = ({ allowed, rate, max_limit_usd }: Rule) => ({ allowed, rate, max_limit_usd })
