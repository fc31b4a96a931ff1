import { Button, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApplication } from '../frame/application.ts'
import { ProblemAlert } from '../parts/notice.tsx'
import { addPasskey, suggestPasskeyName } from './passkeys.ts'
import { usePersonSession } from './session.ts'
import { SignInFrame } from './sign-in-frame.tsx'

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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
        style={{ display: 'grid', gap: 16 }}
      >
        <TextInput
          label="Name of this passkey"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
        />
        <Button
          type="submit"
          leftSection={<IconFingerprint size={18} aria-hidden />}
          loading={add.isPending}
        >
          Add a passkey
        </Button>
      </form>
      <ProblemAlert error={add.error} />
    </SignInFrame>
  )
}
