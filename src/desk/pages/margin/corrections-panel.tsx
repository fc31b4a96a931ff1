import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatLine, fromPercent } from '../../../pages/data/figures.ts'
import { live } from '../../../pages/data/query-client.ts'
import { SelectField, TextField } from '../../../pages/parts/fields.tsx'
import { Notice, ProblemAlert } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Id, Money, Time } from '../../../pages/parts/values.tsx'
import type { DeskFacility } from '../../data/margin.ts'
import { type Answer, type Body, call } from '../../data/operator-api.ts'
import { Proposal } from '../../parts/reason-dialog.tsx'
import { ActButton } from '../administration/act-button.tsx'
import { CorrectionEffect } from './correction-effect.tsx'

type Correction = Answer<'listCorrections'>['items'][number]

type Given = Body<'previewCorrection'>

type Kind = Given['kind']

const KINDS: Readonly<Record<Kind, string>> = {
  waive_interest: 'Waive interest',
  credit: 'Credit principal',
  rate: 'Lower the rate',
  write_off: 'Write off',
  forbearance: 'Forbearance',
  undo: 'Undo a correction',
  close: 'Close',
}

const COLUMNS: readonly Column<Correction>[] = [
  { head: 'Correction', cell: ({ id }) => <Id value={id} /> },
  { head: 'What', cell: ({ kind }) => KINDS[kind] },
  {
    head: 'Amount',
    align: 'right',
    cell: ({ amount_usd: amount }) => (amount === null ? '–' : <Money amount={amount} />),
  },
  {
    head: 'Rate',
    align: 'right',
    keep: 'low',
    cell: ({ rate }) => (rate === null ? '–' : formatLine(rate)),
  },
  { head: 'From', keep: 'low', cell: ({ from }) => (from === null ? '–' : <Time at={from} />) },
  { head: 'Until', keep: 'low', cell: ({ until }) => (until === null ? '–' : <Time at={until} />) },
  { head: 'Corrected', cell: ({ corrected_at: at }) => <Time at={at} /> },
  { head: 'Undone', cell: ({ undone_at: at }) => (at === null ? '–' : <Time at={at} />) },
]

const pathOf = ({ tenant_id, id }: DeskFacility) => ({ tenant_id, facility_id: id })

/** What was corrected, and a correction proposed with its preview. */
export function CorrectionsPanel({ facility }: { facility: DeskFacility }) {
  const { data, error } = useQuery({
    queryKey: live('margin', 'corrections', facility.id),
    queryFn: ({ signal }) => call('listCorrections', { path: pathOf(facility), signal }),
  })
  return (
    <TablePanel
      title="Corrections"
      actions={<CorrectFacility facility={facility} />}
      label="Corrections, one a row"
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rows={data?.items}
      error={error}
      empty={['Nothing was corrected', 'Two operators correct a booked cent.']}
    />
  )
}

type Fields = { amount: string; rate: string; from: string; until: string; correction: string }

const NO_FIELDS: Fields = { amount: '', rate: '', from: '', until: '', correction: '' }

const ASKED: Readonly<Record<Kind, readonly { name: keyof Fields; label: string }[]>> = {
  waive_interest: [{ name: 'amount', label: 'Amount, USD' }],
  credit: [{ name: 'amount', label: 'Amount, USD' }],
  rate: [
    { name: 'rate', label: 'Annual rate, %' },
    { name: 'from', label: 'From (UTC)' },
  ],
  write_off: [],
  forbearance: [{ name: 'until', label: 'Until (UTC)' }],
  undo: [{ name: 'correction', label: 'Correction, cor_…' }],
  close: [],
}

function toBody(kind: Kind, fields: Fields): Given {
  const asked = new Set(ASKED[kind].map(({ name }) => name))
  return {
    kind,
    ...(asked.has('amount') && { amount: { amount: fields.amount, asset: 'USD' } }),
    ...(asked.has('rate') && { rate: fromPercent(fields.rate.trim()) }),
    ...(asked.has('from') && { from: fields.from }),
    ...(asked.has('until') && { until: fields.until }),
    ...(asked.has('correction') && { correction_id: fields.correction }),
  }
}

function CorrectFacility({ facility }: { facility: DeskFacility }) {
  const [kind, setKind] = useState<Kind>('waive_interest')
  const [fields, setFields] = useState(NO_FIELDS)
  const path = pathOf(facility)
  return (
    <ActButton
      act="facilities.correct"
      label="Correct"
      title="Correct the facility"
      about="Another operator confirms it where acts need two. A proposal ends after 3 days, or when money, rate, terms, state or a hold of the facility change."
      isCompact
      run={(reason) => call('correctFacility', { path, body: { ...toBody(kind, fields), reason } })}
      result={(answer) => <Proposed answer={answer as Answer<'correctFacility'>} />}
    >
      <SelectField
        label="What"
        value={kind}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        onChange={setKind}
      />
      {ASKED[kind].map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          value={fields[name]}
          onChange={(value) => setFields({ ...fields, [name]: value })}
          required
        />
      ))}
      <SeePreview key={JSON.stringify(fields) + kind} path={path} body={toBody(kind, fields)} />
    </ActButton>
  )
}

/** Before it is proposed, on demand. */
function SeePreview({ path, body }: { path: ReturnType<typeof pathOf>; body: Given }) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => call('previewCorrection', { path, body }),
  })
  return (
    <>
      <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
        Preview
      </Button>
      <ProblemAlert error={error} />
      {data && <CorrectionEffect preview={data} />}
    </>
  )
}

function Proposed({ answer }: { answer: Answer<'correctFacility'> }) {
  return (
    <>
      {answer.outcome === 'proposed' ? (
        <Proposal answer={answer} />
      ) : (
        <Notice tone="calm" title="Corrected." />
      )}
      {answer.preview && <CorrectionEffect preview={answer.preview} />}
    </>
  )
}
