import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { InvitationLink } from '../../../pages/parts/forms.tsx'
import { ProblemAlert } from '../../../pages/parts/page.tsx'
import { consoleApi, type Person } from '../../data/console-api.ts'
import classes from './people.module.css'

type AgainProps = { person: Person | undefined; onClose: () => void }

/** For someone who has lost every passkey. */
export function InviteAgain({ person, onClose }: AgainProps) {
  return (
    <Modal opened={person !== undefined} onClose={onClose} title={`Invite ${person?.name} again`}>
      {person && <AgainForm person={person} onClose={onClose} />}
    </Modal>
  )
}

function AgainForm({ person, onClose }: { person: Person; onClose: () => void }) {
  const invite = useMutation({
    mutationFn: () => consoleApi.invitePersonAgain(person.id),
  })
  if (invite.data) {
    return <InvitationLink name={person.name} url={invite.data.invitation_url} onClose={onClose} />
  }
  return (
    <div className={classes.form}>
      <p>
        For someone who has lost every passkey, or whose invitation has expired. The link signs{' '}
        {person.name} in once, to add a new passkey. Once it is opened, what they had ends a day
        after this. Earlier invitations end now.
      </p>
      <ProblemAlert error={invite.error} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={invite.isPending} onClick={() => invite.mutate()}>
          Make an invitation
        </Button>
      </div>
    </div>
  )
}
