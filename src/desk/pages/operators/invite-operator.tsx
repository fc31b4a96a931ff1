import { Modal, Radio, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { FormModal, InvitationLink } from '../../../pages/parts/forms.tsx'
import { Notice } from '../../../pages/parts/page.tsx'
import { call } from '../../data/operator-api.ts'
import { ROLES, type Role } from './roles.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: live('operators') })

type DialogProps = { isOpen: boolean; onClose: () => void }

export function InviteOperator({ isOpen, onClose }: DialogProps) {
  return isOpen ? <InviteForm onClose={onClose} /> : null
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const invite = useMutation({
    mutationFn: () => call('inviteOperator', { body: { name, email, role } }),
    onSuccess: refresh,
  })
  if (invite.data) {
    const { operator, invitation_url: url } = invite.data
    return (
      <Modal opened onClose={onClose} title="Invite an operator">
        <InvitationLink name={operator.name} url={url} onClose={onClose} />
      </Modal>
    )
  }
  return (
    <FormModal
      title="Invite an operator"
      submit="Make an invitation"
      isOpen
      isPending={invite.isPending}
      error={invite.error}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate()
      }}
    >
      <TextField data-autofocus label="Name" value={name} onChange={setName} required />
      <TextField type="email" label="E-mail" value={email} onChange={setEmail} required />
      <Radio.Group label="Role" value={role} onChange={(value) => setRole(value as Role)}>
        <Stack gap="xs" mt="xs">
          {ROLES.map(({ value, label, about }) => (
            <Radio key={value} value={value} label={label} description={about} />
          ))}
        </Stack>
      </Radio.Group>
    </FormModal>
  )
}

type AgainProps = { operator: { id: string; name: string } | undefined; onClose: () => void }

/** For someone who has lost every passkey. */
export function InviteAgain({ operator, onClose }: AgainProps) {
  return operator ? <AgainForm operator={operator} onClose={onClose} /> : null
}

function AgainForm({
  operator,
  onClose,
}: Required<AgainProps> & { operator: { id: string; name: string } }) {
  const { id, name } = operator
  const title = `Invite ${name} again`
  const [reason, setReason] = useState('')
  const invite = useMutation({
    mutationFn: () => call('inviteOperatorAgain', { path: { id }, body: { reason } }),
  })
  if (invite.data) {
    return (
      <Modal opened onClose={onClose} title={title}>
        {invite.data.invitation_url === null ? (
          <Notice tone="calm" title="Proposed: another operator confirms it.">
            The operator who confirms it is shown the link.
          </Notice>
        ) : (
          <InvitationLink name={name} url={invite.data.invitation_url} onClose={onClose} />
        )}
      </Modal>
    )
  }
  return (
    <FormModal
      title={title}
      submit="Make an invitation"
      isOpen
      isPending={invite.isPending}
      error={invite.error}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate()
      }}
    >
      <p>
        For someone who has lost every passkey, or whose invitation has expired. They get a notice.
        For someone who can sign in, another operator confirms it, and what they had ends a day
        later, once the link is opened.
      </p>
      <TextField data-autofocus label="Reason" value={reason} onChange={setReason} required />
    </FormModal>
  )
}
