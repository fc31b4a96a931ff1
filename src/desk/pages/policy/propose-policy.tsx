import { useState } from 'react'
import { TextField } from '../../../pages/parts/fields.tsx'
import { Notice } from '../../../pages/parts/page.tsx'
import { Time } from '../../../pages/parts/values.tsx'
import { call } from '../../data/operator-api.ts'
import { Difference } from '../../parts/difference.tsx'
import { type Outcome, Proposal } from '../../parts/reason-dialog.tsx'
import { ActButton } from '../administration/act-button.tsx'
import { PolicyEffect } from './effects.tsx'
import { type Terms, toChange } from './margin-terms.tsx'
import { TermsFields } from './terms-fields.tsx'

/** Starts from the terms that it would follow. */
export function ProposePolicy({ from }: { from: Terms }) {
  const [terms, setTerms] = useState(from)
  const [effectiveFrom, setEffectiveFrom] = useState('')
  return (
    <ActButton
      act="margin_policy.set"
      label="Propose a version"
      title="Propose a version"
      about="It binds what is approved once it takes effect, at least 15 minutes after it is confirmed. Amend older facilities to it afterwards: the last table shows what would change if all were bound to it."
      run={(reason) =>
        call('proposeMarginPolicy', {
          body: {
            terms: toChange(terms),
            effective_from: effectiveFrom,
            reason,
          },
        })
      }
      result={(answer) => <Result answer={answer as Outcome} from={effectiveFrom} />}
    >
      <TextField
        data-autofocus
        label="Effective from (UTC)"
        placeholder="2026-12-01T00:00:00Z"
        value={effectiveFrom}
        onChange={setEffectiveFrom}
        required
      />
      <TermsFields terms={terms} onChange={setTerms} />
      <Difference before={from} after={terms} />
      <PolicyEffect terms={terms === from ? undefined : terms} />
    </ActButton>
  )
}

function Result({ answer, from }: { answer: Outcome; from: string }) {
  if (answer.outcome === 'proposed') return <Proposal answer={answer} />
  return (
    <Notice tone="calm" title="Stored">
      It takes effect at <Time at={from} />. No second operator was needed.
    </Notice>
  )
}
