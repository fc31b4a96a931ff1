import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Facts } from '../../../console/parts/facts.tsx'
import { Notice } from '../../../console/parts/notice.tsx'
import { type Answer, call } from '../../data/operator-api.ts'
import { Proposal } from '../../parts/reason-dialog.tsx'
import { ActButton } from './act-button.tsx'

/** Binds the loans of all older versions to one that has taken effect. */
export function AmendOlder({ version }: { version: number }) {
  const [from, setFrom] = useState('')
  return (
    <ActButton
      isCompact
      act="facilities.amend"
      label="Amend older"
      title={`Bind older facilities to version ${version}?`}
      about="Each facility by itself: what is stricter for it takes effect 30 days later or after, the rest immediately. Each tenant receives facility.terms_changed."
      run={(reason) =>
        call('amendFacilities', {
          body: { version, ...(from !== '' && { effective_from: from }), reason },
        })
      }
      result={(answer) => <Amended answer={answer as Answer<'amendFacilities'>} />}
    >
      <TextInput
        label="Not before (UTC)"
        placeholder="2027-01-01T00:00:00Z"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
    </ActButton>
  )
}

export function Amended({ answer }: { answer: Answer<'amendFacilities'> }) {
  return (
    <>
      {answer.outcome === 'proposed' ? (
        <Proposal answer={answer} />
      ) : (
        <Notice tone="calm" title="Amended." />
      )}
      <Facts
        items={[
          ['Stricter, with notice', answer.with_notice],
          ['Nowhere stricter, immediately', answer.without_notice],
          ['Left for another proposal', answer.left],
        ]}
      />
    </>
  )
}
