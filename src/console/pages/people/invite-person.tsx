import { Button, Modal, Radio } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../../pages/data/query-client.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { InvitationLink } from '../../../pages/parts/forms.tsx'
import { ProblemAlert } from '../../../pages/parts/page.tsx'
import { consoleApi, PEOPLE, type Role } from '../../data/console-api.ts'
import classes from './people.module.css'
import { ROLES } from './roles.ts'

export function InvitePerson({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Invite a person">
      <InviteForm onClose={onClose} />
    </Modal>
  )
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const invite = useMutation({
    mutationFn: () => consoleApi.invitePerson({ name, email, role }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PEOPLE }),
  })
  if (invite.data) {
    const { person, invitation_url: url } = invite.data
    return <InvitationLink name={person.name} url={url} onClose={onClose} />
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate()
      }}
    >
      <TextField data-autofocus label="Name" value={name} onChange={setName} required />
      <TextField type="email" label="E-mail" value={email} onChange={setEmail} required />
      <Radio.Group label="Role" value={role} onChange={(value) => setRole(value as Role)}>
        <div className={classes.roles}>
          {ROLES.map(({ value, label, about }) => (
            <Radio key={value} value={value} label={label} description={about} />
          ))}
        </div>
      </Radio.Group>
      <ProblemAlert error={invite.error} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={invite.isPending}>
          Make an invitation
        </Button>
      </div>
    </form>
  )
}
