import { Button, Checkbox, Modal } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isScope, SCOPE_SENTENCES } from '../../../core/scopes.ts'
import { queryClient } from '../../../pages/data/query-client.ts'
import { saveFile } from '../../../pages/data/save-file.ts'
import { SelectField, TextField } from '../../../pages/parts/fields.tsx'
import { Facts, Notice, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id } from '../../../pages/parts/values.tsx'
import {
  type ConsoleKey,
  consoleApi,
  KEYS,
  type NewKey,
  useSession,
} from '../../data/console-api.ts'
import { makeKeyPair } from '../../data/key-pair.ts'
import classes from './keys.module.css'

const DAY_MS = 86_400_000
const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

type Made = { key: ConsoleKey; privateKeyPem: string }

export function MakeKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<Made>()
  const close = () => {
    // Closing forgets the private half: the page keeps it nowhere else.
    setMade(undefined)
    onClose()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={made ? 'Save the private key' : 'Make a key'}
      size="lg"
      closeOnClickOutside={!made}
      closeOnEscape={!made}
      withCloseButton={!made}
    >
      {made ? (
        <SaveKey made={made} onDone={close} />
      ) : (
        <KeyForm onMade={setMade} onCancel={close} />
      )}
    </Modal>
  )
}

function KeyForm({ onMade, onCancel }: { onMade: (made: Made) => void; onCancel: () => void }) {
  const offered = useSession().scopes.filter((scope) => !/^(key|person|action):/.test(scope))
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(offered)
  const [days, setDays] = useState('')
  const make = useMutation({
    mutationFn: async (): Promise<Made> => {
      const { publicKeyPem, privateKeyPem } = await makeKeyPair()
      const expiry =
        days === ''
          ? {}
          : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }
      const key = await consoleApi.createKey({
        name,
        public_key_pem: publicKeyPem,
        // Offered as the service named them.
        scopes: scopes as NewKey['scopes'],
        ...expiry,
      })
      return { key, privateKeyPem }
    },
    onSuccess: (made) => {
      void queryClient.invalidateQueries({ queryKey: KEYS })
      onMade(made)
    },
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <TextField
        data-autofocus
        label="Name"
        description="Where the key will be used, such as “billing server”."
        value={name}
        onChange={setName}
        maxLength={100}
        required
      />
      <Checkbox.Group
        label="Scopes"
        description="What requests signed with it may do. Fewer is safer."
        value={scopes}
        onChange={setScopes}
      >
        <div className={classes.scopes}>
          {offered.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={scope}
              description={isScope(scope) ? SCOPE_SENTENCES[scope] : undefined}
              size="sm"
            />
          ))}
        </div>
      </Checkbox.Group>
      <SelectField label="Expires" value={days} onChange={setDays} data={EXPIRIES} />
      <ProblemAlert error={make.error} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={make.isPending} disabled={scopes.length === 0}>
          Make the key
        </Button>
      </div>
    </form>
  )
}

function SaveKey({ made: { key, privateKeyPem }, onDone }: { made: Made; onDone: () => void }) {
  const navigate = useNavigate()
  const [isSaved, setSaved] = useState(false)
  const file = `${key.id}.pem`
  return (
    <div className={classes.form}>
      <Notice tone="warn" title="It is offered once, here.">
        The private half was made in this page and has not left it. The service has no copy: a lost
        key is replaced by a new one.
      </Notice>
      <Facts
        items={[
          ['Name', key.name],
          ['Key id', <Id key="id" value={key.id} />],
        ]}
      />
      <Button
        leftSection={<IconDownload size={18} aria-hidden />}
        variant={isSaved ? 'default' : 'filled'}
        onClick={() => {
          saveFile(file, privateKeyPem, 'application/x-pem-file')
          setSaved(true)
        }}
      >
        Save {file}
      </Button>
      <div className={classes.buttons}>
        {!isSaved && (
          <Button variant="default" onClick={onDone}>
            Close without saving
          </Button>
        )}
        <Button
          disabled={!isSaved}
          onClick={() => {
            onDone()
            void navigate({ to: '/keys/$id', params: { id: key.id } })
          }}
        >
          Send a first request
        </Button>
      </div>
    </div>
  )
}
