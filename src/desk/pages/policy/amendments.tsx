import { useState } from 'react'
import { formatRatio } from '../../../pages/data/figures.ts'
import { usePages } from '../../../pages/data/lists.ts'
import { live } from '../../../pages/data/query-client.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { Facts, Notice } from '../../../pages/parts/page.tsx'
import { PagedPanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { shorten } from '../../../pages/parts/values.tsx'
import { type Answer, call, list } from '../../data/operator-api.ts'
import { Proposal } from '../../parts/reason-dialog.tsx'
import { facilityColumn } from '../../parts/tenants.tsx'
import { ActButton } from '../administration/act-button.tsx'
import { AmendmentEffect } from './amendment-effect.tsx'

/** Binds the loans of all older versions to one that has taken effect. */
export function AmendOlder({ version }: { version: number }) {
  const [from, setFrom] = useState('')
  const asked = { version, ...(from !== '' && { effective_from: from }) }
  return (
    <ActButton
      isCompact
      act="facilities.amend"
      label="Amend older"
      title={`Bind older facilities to version ${version}?`}
      about="Each facility by itself: what is stricter for it takes effect 30 days later or after, the rest immediately. Each tenant receives facility.terms_changed."
      run={(reason) => call('amendFacilities', { body: { ...asked, reason } })}
      result={(answer) => <Amended answer={answer as Answer<'amendFacilities'>} />}
    >
      <TextField
        label="Not before (UTC)"
        placeholder="2027-01-01T00:00:00Z"
        value={from}
        onChange={setFrom}
      />
      <AmendmentEffect
        of={{ version }}
        read={(signal) => call('previewAmendments', { body: { version }, signal })}
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

type Pending = Answer<'listAmendments'>['items'][number]

const PENDING: readonly Column<Pending>[] = [
  facilityColumn(),
  timeColumn('Takes effect', (one) => one.effective_at),
  {
    head: 'Version',
    short: true,
    cell: ({ bound_version, version }) => `${bound_version} → ${version}`,
  },
  { head: 'Rate a year', short: true, keep: 'low', cell: ({ rate }) => formatRatio(rate, 2) },
  { head: 'Asked by', keep: 'low', cell: ({ asked_by }) => asked_by ?? 'the tenant' },
  {
    head: 'Notice',
    keep: 'lowest',
    cell: ({ event_id }) => (event_id === null ? '–' : shorten(event_id)),
  },
]

/** A facility's page withdraws its own. */
export function AmendmentsPanel() {
  const pages = usePages<Pending>({
    key: live('amendments'),
    read: (from, signal) => list('listAmendments', { from, limit: 100 }, signal),
  })
  return (
    <PagedPanel
      title="Amendments that wait, next first"
      label="Amendments that wait, one a row"
      pages={pages}
      columns={PENDING}
      rowKey={({ facility_id }) => facility_id}
      empty={['No amendment waits.', 'Stricter terms wait for their notice.']}
    />
  )
}
