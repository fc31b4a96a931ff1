import { Group } from '@mantine/core'
import { useState } from 'react'
import { formatRatio, fromPercent, toPercent } from '../../../pages/data/figures.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { Time } from '../../../pages/parts/values.tsx'
import type { DeskFacility } from '../../data/margin.ts'
import { type Answer, call } from '../../data/operator-api.ts'
import { ActButton } from '../administration/act-button.tsx'
import { AmendmentEffect } from '../policy/amendment-effect.tsx'
import { Amended } from '../policy/amendments.tsx'

const pathOf = ({ tenant_id, id }: DeskFacility) => ({ tenant_id, facility_id: id })

/** Empty fields are left out: they stay as they are. */
export function AmendFacility({ facility }: { facility: DeskFacility }) {
  const [version, setVersion] = useState('')
  const [rate, setRate] = useState('')
  const [from, setFrom] = useState('')
  if (facility.state !== 'APPROVED') return null
  const terms = {
    ...(version !== '' && { version: Number(version) }),
    ...(rate !== '' && { rate: fromPercent(rate.trim()) }),
  }
  return (
    <ActButton
      isCompact
      act="facilities.amend"
      label="Amend the terms"
      title="Amend the terms of this facility?"
      about="Stricter terms bind 30 days after the tenant receives facility.terms_changed, or later, and not while a warning or call is open. Terms that are nowhere stricter bind immediately."
      run={(reason) =>
        call('amendFacility', {
          path: pathOf(facility),
          body: { ...terms, ...(from !== '' && { effective_from: from }), reason },
        })
      }
      result={(answer) => <Amended answer={answer as Answer<'amendFacility'>} />}
    >
      <Group grow>
        <TextField
          type="number"
          label="Version of the margin policy"
          value={version}
          onChange={setVersion}
        />
        <TextField
          label="Rate a year, %"
          placeholder={toPercent(facility.rate)}
          value={rate}
          onChange={setRate}
        />
      </Group>
      <TextField
        label="Not before (UTC)"
        placeholder="2027-01-01T00:00:00Z"
        value={from}
        onChange={setFrom}
      />
      <AmendmentEffect
        of={version === '' && rate === '' ? undefined : { facility: facility.id, ...terms }}
        read={(signal) => call('previewAmendment', { path: pathOf(facility), body: terms, signal })}
      />
    </ActButton>
  )
}

export function NextTerms({ facility }: { facility: DeskFacility }) {
  const next = facility.next_terms
  if (!next) return '–'
  return (
    <>
      Version {next.version} at {formatRatio(next.rate, 2)} a year, from{' '}
      <Time at={next.effective_at} />{' '}
      <ActButton
        isCompact
        act="facilities.withdraw_amendment"
        label="Withdraw"
        title="Withdraw the amendment?"
        about="The terms in force stay, and the tenant receives facility.terms_changed with them."
        run={(reason) => call('withdrawAmendment', { path: pathOf(facility), body: { reason } })}
      />
    </>
  )
}
