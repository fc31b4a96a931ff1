import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from './act-button.tsx'

type BorrowerType = Schemas['ResidencyRule']['borrower_type']

const NONE = { country: '', state: '', rate: '', max_limit_usd: '' }

const TEXTS = [
  { name: 'country', label: 'Country', placeholder: 'US', description: 'ISO 3166-1 alpha-2' },
  { name: 'state', label: 'State', placeholder: 'CA', description: 'For the US alone' },
  { name: 'rate', label: 'Annual rate', placeholder: '0.095', description: 'Empty: the default' },
  {
    name: 'max_limit_usd',
    label: 'Maximum limit in USD',
    placeholder: '250000.00',
    description: 'Empty: the maximum of the service',
  },
] as const

export function SetRule() {
  const [texts, setTexts] = useState(NONE)
  const [type, setType] = useState<BorrowerType>('individual')
  const [answer, setAnswer] = useState('yes')
  const allowed = answer === 'yes'
  const { country, state, rate, max_limit_usd: most } = texts
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
            ...(allowed && rate !== '' && { rate }),
            ...(allowed && most !== '' && { max_limit_usd: most }),
          },
        })
      }
    >
      <NativeSelect
        label="Borrower"
        value={type}
        data={['individual', 'business']}
        onChange={(event) => setType(event.currentTarget.value as BorrowerType)}
      />
      <NativeSelect
        label="May they borrow?"
        value={answer}
        data={['yes', 'no']}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
      {shown.map(({ name, ...field }) => (
        <TextInput
          key={name}
          {...field}
          value={texts[name]}
          onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
        />
      ))}
    </ActButton>
  )
}
