import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Code } from '../../../pages/parts/code.tsx'
import { Confirm } from '../../../pages/parts/forms.tsx'
import { Notice, Panel } from '../../../pages/parts/page.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { service } from '../../data/console-api.ts'
import classes from './webhooks.module.css'

/** One for all webhooks of the environment. */
export function SigningSecret() {
  const [isAsking, asking] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  const create = useMutation({
    mutationFn: () => service.createSigningSecret(),
    onSuccess: (made) => {
      setSecret(made)
      asking.close()
    },
  })
  return (
    <Panel
      title="Signing secret"
      actions={
        useCan('webhook:write') && (
          <Button variant="default" onClick={asking.open}>
            Create a new secret
          </Button>
        )
      }
    >
      <div className={classes.stack}>
        <p className="quiet">
          Your endpoints verify each delivery with it. There is one for this environment; without
          one, deliveries go out unsigned. A new secret replaces the old one at once.
        </p>
        {secret !== undefined && (
          <>
            <Notice tone="warn" title="Copy it now: it is shown once.">
              What is sent from now on is signed with it.
            </Notice>
            <Code code={secret} label="New secret" />
          </>
        )}
      </div>
      <Confirm
        title="Create a new signing secret?"
        act="Create the secret"
        isOpen={isAsking}
        onClose={asking.close}
        mutation={create}
      >
        If you have a secret already, endpoints that still use it refuse deliveries from now on.
        They get them again at the next retry, a minute later at first.
      </Confirm>
    </Panel>
  )
}
