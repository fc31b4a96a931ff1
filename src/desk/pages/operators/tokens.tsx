import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { SelectField, TextField } from '../../../pages/parts/fields.tsx'
import { FormModal, GuardedButton, ShownOnce } from '../../../pages/parts/forms.tsx'
import { Empty, Loading, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { Ago, Status, type Tone } from '../../../pages/parts/values.tsx'
import { call, type Schemas, useSession } from '../../data/operator-api.ts'
import { ReasonField } from '../../parts/reason-field.tsx'

type Token = Schemas['OperatorToken']

const DAY_MS = 86_400_000
const TONES: Readonly<Record<Token['state'], Tone>> = {
  active: 'good',
  expired: 'plain',
  revoked: 'bad',
}

const refresh = () => queryClient.invalidateQueries({ queryKey: live('tokens') })

/** What programs of the lender prove themselves with. */
export function Tokens() {
  const tokens = useQuery({
    queryKey: live('tokens'),
    queryFn: ({ signal }) => call('listTokens', { signal }),
  })
  const [isMaking, making] = useDisclosure()
  const [revoking, setRevoking] = useState<Token>()
  const columns: readonly Column<Token>[] = [
    { head: 'Name', breaks: true, cell: ({ name }) => name },
    { head: 'Acts as', keep: 'low', cell: ({ email }) => email },
    {
      head: 'State',
      short: true,
      cell: ({ state }) => <Status tone={TONES[state]}>{state}</Status>,
    },
    { head: 'Ends', keep: 'low', cell: ({ expires_at }) => <Ago at={expires_at} /> },
    {
      head: 'Change',
      short: true,
      align: 'right',
      cell: (token) =>
        token.state === 'active' && (
          <GuardedButton
            scope="operators.revoke_token"
            variant="default"
            size="compact-xs"
            onClick={() => setRevoking(token)}
          >
            Revoke
          </GuardedButton>
        ),
    },
  ]
  return (
    <Panel
      title="Tokens"
      flush
      actions={
        <GuardedButton scope="operators.create_token" variant="default" onClick={making.open}>
          Make a token
        </GuardedButton>
      }
    >
      <ProblemAlert error={tokens.error} />
      {tokens.isPending && <Loading />}
      {tokens.data?.items.length === 0 && (
        <Empty title="No token yet">
          A program of the lender uses the operator API with one, as the operator it belongs to.
        </Empty>
      )}
      {tokens.data && tokens.data.items.length > 0 && (
        <DataTable
          label="Tokens, one a row"
          columns={columns}
          rows={tokens.data.items}
          rowKey={({ id }) => id}
        />
      )}
      {isMaking && <MakeToken onClose={making.close} />}
      {revoking && <RevokeToken token={revoking} onClose={() => setRevoking(undefined)} />}
    </Panel>
  )
}

/** Of one's own: the command makes those of others. */
function MakeToken({ onClose }: { onClose: () => void }) {
  const { person } = useSession()
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const make = useMutation({
    mutationFn: async () => {
      const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      const token = { operator_id: person.id, name, expires_at: expiresAt }
      return await call('createToken', { body: token })
    },
    onSuccess: refresh,
  })
  if (make.data) {
    return (
      <Modal opened onClose={onClose} title="Make a token">
        <ShownOnce
          title="Copy this token now: it is shown once."
          about="A program that has it acts as the operator. Revoke it when it is no longer needed."
          value={make.data.token}
          label="Token"
          onClose={onClose}
        />
      </Modal>
    )
  }
  return (
    <FormModal
      title="Make a token"
      submit="Make a token"
      isOpen
      isPending={make.isPending}
      error={make.error}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <p>It acts as you.</p>
      <TextField
        data-autofocus
        label="Name"
        description="Where it is used."
        value={name}
        onChange={setName}
        required
      />
      <SelectField
        label="Lasts"
        value={days}
        data={['7', '30', '90', '365'].map((value) => ({ value, label: `${value} days` }))}
        onChange={setDays}
      />
    </FormModal>
  )
}

function RevokeToken({ token, onClose }: { token: Token; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const revoke = useMutation({
    mutationFn: () => call('revokeToken', { path: { id: token.id }, body: { reason } }),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <FormModal
      title={`Revoke ${token.name}?`}
      submit="Revoke"
      isOpen
      isPending={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        revoke.mutate()
      }}
    >
      <p>It is refused from the next request on, for good.</p>
      <ReasonField value={reason} onChange={setReason} />
    </FormModal>
  )
}
