import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { queryClient, SESSION_KEY } from '../data/query-client.ts'
import { type Passkey, useApplication } from '../frame/application.ts'
import { TextField } from '../parts/fields.tsx'
import { Page, Panel, ProblemAlert } from '../parts/page.tsx'
import { TablePanel } from '../parts/panels.tsx'
import type { Column } from '../parts/table.tsx'
import { Ago, Time } from '../parts/values.tsx'
import { OwnAddressPanel } from './own-address.tsx'
import { addPasskey, suggestPasskeyName } from './passkeys.ts'
import { usePersonSession } from './session.ts'
import { SignInFrame } from './sign-in-frame.tsx'

const KEY = ['passkeys']

export function PasskeysPage() {
  const { api } = useApplication()
  const passkeys = useQuery({ queryKey: KEY, queryFn: api.listPasskeys })
  const remove = useMutation({
    mutationFn: api.removePasskey,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: KEY })
      await queryClient.invalidateQueries({ queryKey: SESSION_KEY })
    },
  })
  const columns: readonly Column<Passkey>[] = [
    { head: 'Name', cell: ({ name }) => name },
    { head: 'Added (UTC)', cell: ({ created_at }) => <Time at={created_at} brief />, keep: 'low' },
    { head: 'Last used', cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
    {
      head: 'Remove',
      short: true,
      align: 'right',
      cell: ({ id, name }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Remove ${name}`}
          onClick={() => remove.mutate(id)}
        >
          Remove
        </Button>
      ),
    },
  ]
  return (
    <Page
      title="Passkeys"
      about="You sign in with a passkey, and show it again for what outlives your session, such as another passkey or an invitation. Keep two, on different devices."
    >
      <AddPasskey />
      <TablePanel
        title="Your passkeys"
        label="Passkeys, one a row"
        columns={columns}
        rowKey={({ id }) => id}
        rows={passkeys.data?.items}
        error={passkeys.error ?? remove.error}
        empty={['No passkey yet', 'Without one you need a new link whenever your session ends.']}
      />
      <OwnAddressPanel />
    </Page>
  )
}

function AddPasskey() {
  const { api, oidcStart } = useApplication()
  const { signed_in_by: signedInBy, passkeys } = usePersonSession()
  const [name, setName] = useState(suggestPasskeyName)
  const add = useMutation({ mutationFn: () => addPasskey(api, name) })
  return (
    <Panel title="Add a passkey">
      {signedInBy === 'oidc' && passkeys === 0 && (
        <p>
          Your provider has to ask you again first:{' '}
          <a href={`${oidcStart}?fresh=true`}>sign in again</a>, and come back here within 5
          minutes.
        </p>
      )}
      <PasskeyForm
        name={name}
        setName={setName}
        add={add}
        label="Name"
        style={{ alignItems: 'end', display: 'flex', flexWrap: 'wrap', gap: 12 }}
      />
      <ProblemAlert error={add.error} />
    </Panel>
  )
}

/** An invitation lets in once; from then on the passkey does. */
export function AddFirstPasskey() {
  const session = usePersonSession()
  const { api, titleOf } = useApplication()
  const { person } = session
  const [name, setName] = useState(suggestPasskeyName)
  const add = useMutation({ mutationFn: () => addPasskey(api, name) })
  return (
    <SignInFrame title={`Welcome, ${person.name}`}>
      <p>
        You are invited to <strong>{titleOf(session)}</strong> as {person.role}. Add a passkey to
        sign in with from now on: your fingerprint, face, screen lock or security key. There is no
        password.
      </p>
      <PasskeyForm
        name={name}
        setName={setName}
        add={add}
        label="Name of this passkey"
        style={{ display: 'grid', gap: 16 }}
      />
      <ProblemAlert error={add.error} />
    </SignInFrame>
  )
}

type PasskeyFormProps = {
  label: string
  name: string
  setName: (name: string) => void
  add: { mutate: () => void; isPending: boolean }
  style: CSSProperties
}

function PasskeyForm({ label, name, setName, add, style }: PasskeyFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
      style={style}
    >
      <TextField label={label} value={name} onChange={setName} maxLength={100} required />
      <Button
        type="submit"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={add.isPending}
      >
        Add a passkey
      </Button>
    </form>
  )
}
