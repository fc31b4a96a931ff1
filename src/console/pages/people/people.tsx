import { ActionIcon, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type Icon, IconMailForward, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../../pages/data/query-client.ts'
import { SelectField } from '../../../pages/parts/fields.tsx'
import { GuardedButton } from '../../../pages/parts/forms.tsx'
import { Page } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago } from '../../../pages/parts/values.tsx'
import { consoleApi, PEOPLE, type Person, type Role, useSession } from '../../data/console-api.ts'
import { InviteAgain } from './invite-again.tsx'
import { InvitePerson } from './invite-person.tsx'
import classes from './people.module.css'
import { RemovePerson } from './remove-person.tsx'
import { ROLES } from './roles.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: PEOPLE })

export function PeoplePage() {
  const { person: self } = useSession()
  const people = useQuery({ queryKey: PEOPLE, queryFn: consoleApi.listPeople })
  const [isInviting, inviting] = useDisclosure()
  const [returning, setReturning] = useState<Person>()
  const [leaving, setLeaving] = useState<Person>()
  const change = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => consoleApi.changePerson(id, role),
    onSettled: refresh,
  })
  const columns: readonly Column<Person>[] = [
    { head: 'Name', cell: ({ id, name }) => (id === self.id ? `${name} (you)` : name) },
    { head: 'E-mail', keep: 'low', cell: ({ email }) => email },
    {
      head: 'Role',
      short: true,
      cell: ({ id, name, role }) => (
        <SelectField
          size="xs"
          w={118}
          aria-label={`Role of ${name}`}
          value={role}
          disabled={id === self.id}
          data={ROLES.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => change.mutate({ id, role: value })}
        />
      ),
    },
    {
      head: 'Passkeys',
      short: true,
      align: 'right',
      keep: 'low',
      cell: ({ passkeys }) => passkeys,
    },
    {
      head: 'Last seen',
      short: true,
      keep: 'low',
      cell: (person) => <Ago at={person.last_seen_at} />,
    },
    {
      head: 'Change',
      short: true,
      align: 'right',
      cell: (person) =>
        person.id !== self.id && (
          <div className={classes.changes}>
            <PersonButton
              label={`Invite ${person.name} again`}
              icon={IconMailForward}
              onClick={() => setReturning(person)}
            />
            <PersonButton
              label={`Remove ${person.name}`}
              icon={IconTrash}
              onClick={() => setLeaving(person)}
            />
          </div>
        ),
    },
  ]
  return (
    <Page
      title="People"
      about="Who may use this console. Viewers read, developers do everything but manage people, admins do that too."
      actions={
        <GuardedButton
          size="sm"
          scope="person:write"
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={inviting.open}
        >
          Invite a person
        </GuardedButton>
      }
    >
      <TablePanel
        title="People"
        label="People, one a row"
        columns={columns}
        rowKey={({ id }) => id}
        rows={people.data?.items}
        error={people.error ?? change.error}
      />
      <InviteAgain person={returning} onClose={() => setReturning(undefined)} />
      <InvitePerson isOpen={isInviting} onClose={inviting.close} />
      <RemovePerson person={leaving} onClose={() => setLeaving(undefined)} />
    </Page>
  )
}

type ButtonProps = { label: string; icon: Icon; onClick: () => void }

function PersonButton({ label, icon: Mark, onClick }: ButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} onClick={onClick}>
        <Mark size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
