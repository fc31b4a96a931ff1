import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { SelectField } from '../../../pages/parts/fields.tsx'
import { FormModal, GuardedButton } from '../../../pages/parts/forms.tsx'
import { Page } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { type Answer, call, useSession } from '../../data/operator-api.ts'
import { ReasonField } from '../../parts/reason-field.tsx'
import { InviteAgain, InviteOperator } from './invite-operator.tsx'
import { ROLES, type Role } from './roles.ts'
import { Tokens } from './tokens.tsx'

type Operator = Answer<'listOperators'>['items'][number]

const refresh = () => queryClient.invalidateQueries({ queryKey: live('operators') })

export function OperatorsPage() {
  const operators = useQuery({
    queryKey: live('operators'),
    queryFn: ({ signal }) => call('listOperators', { signal }),
  })
  const [isInviting, inviting] = useDisclosure()
  const [returning, setReturning] = useState<Operator>()
  const [leaving, setLeaving] = useState<Operator>()
  const change = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      call('changeOperator', { path: { id }, body: { role } }),
    onSettled: refresh,
  })
  const columns = useColumns({
    onRole: (id, role) => change.mutate({ id, role }),
    onInvite: setReturning,
    onRemove: setLeaving,
  })
  return (
    <Page
      title="Operators"
      about="The lender's own people, and what their roles allow."
      actions={
        <GuardedButton
          size="sm"
          scope="operators.invite"
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={inviting.open}
        >
          Invite an operator
        </GuardedButton>
      }
    >
      <TablePanel
        title="Operators"
        label="Operators, one a row"
        columns={columns}
        rowKey={({ id }) => id}
        rows={operators.data?.items}
        error={operators.error ?? change.error}
      />
      <Tokens />
      <InviteOperator isOpen={isInviting} onClose={inviting.close} />
      <InviteAgain operator={returning} onClose={() => setReturning(undefined)} />
      {leaving && <RemoveOperator operator={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

type Changes = {
  onRole: (id: string, role: Role) => void
  onInvite: (operator: Operator) => void
  onRemove: (operator: Operator) => void
}

function useColumns({ onRole, onInvite, onRemove }: Changes): readonly Column<Operator>[] {
  const { person: self } = useSession()
  const canChange = useCan('operators.change_role')
  return [
    { head: 'Name', cell: ({ id, name }) => (id === self.id ? `${name} (you)` : name) },
    { head: 'E-mail', keep: 'low', cell: ({ email }) => email },
    {
      head: 'Role',
      short: true,
      cell: ({ id, name, role }) => (
        <SelectField
          size="xs"
          w={112}
          aria-label={`Role of ${name}`}
          value={role}
          disabled={id === self.id || !canChange}
          data={ROLES.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => onRole(id, value)}
        />
      ),
    },
    { head: 'Passkeys', keep: 'lowest', align: 'right', cell: ({ passkeys }) => passkeys },
    { head: 'Last seen', keep: 'low', cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
    {
      head: 'Change',
      keep: 'low',
      align: 'right',
      cell: (operator) =>
        operator.id !== self.id && (
          <span style={{ display: 'inline-flex', gap: 6 }}>
            <GuardedButton
              size="compact-xs"
              variant="default"
              scope="operators.invite"
              onClick={() => onInvite(operator)}
            >
              Invite again
            </GuardedButton>
            <GuardedButton
              size="compact-xs"
              variant="default"
              scope="operators.remove"
              onClick={() => onRemove(operator)}
            >
              Remove
            </GuardedButton>
          </span>
        ),
    },
  ]
}

function RemoveOperator({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const remove = useMutation({
    mutationFn: () => call('removeOperator', { path: { id: operator.id }, body: { reason } }),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <FormModal
      title={`Remove ${operator.name}?`}
      submit="Remove"
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        remove.mutate()
      }}
    >
      <p>
        Their sessions and tokens end at once, and their passkeys are forgotten. What they did stays
        on record.
      </p>
      <ReasonField value={reason} onChange={setReason} />
    </FormModal>
  )
}
