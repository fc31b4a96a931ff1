import { Button, Checkbox, Modal, Radio } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { EVENT_EXAMPLES } from '../../../client/generated/event-examples.ts'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { ProblemAlert } from '../../../pages/parts/page.tsx'
import { service } from '../../data/console-api.ts'
import { EVERY_EVENT, toNewWebhook } from '../../data/webhooks.ts'
import classes from './webhooks.module.css'

type Dialog = { isOpen: boolean; onClose: () => void }

export function RegisterWebhook({ isOpen, onClose }: Dialog) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Register a webhook" size="lg">
      <RegisterForm onClose={onClose} />
    </Modal>
  )
}

function RegisterForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [url, setUrl] = useState('')
  const [label, setLabel] = useState('')
  const [types, setTypes] = useState<string[]>()
  const register = useMutation({
    mutationFn: () =>
      service.registerWebhook(toNewWebhook({ url, label, event_types: types ?? [] })),
    onSuccess: (id) => {
      void queryClient.invalidateQueries({ queryKey: live('webhooks') })
      onClose()
      void navigate({ to: '/webhooks/$id', params: { id } })
    },
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        register.mutate()
      }}
    >
      <TextField
        data-autofocus
        label="Address"
        placeholder="https://example.com/hooks/lending"
        value={url}
        onChange={setUrl}
        required
      />
      <TextField
        label="Label"
        description="A name for your own reference. Optional."
        value={label}
        onChange={setLabel}
        maxLength={100}
      />
      <Radio.Group
        label="Events"
        value={types === undefined ? 'all' : 'some'}
        onChange={(value) => setTypes(value === 'all' ? undefined : [])}
      >
        <div className={classes.types}>
          <Radio value="all" label={EVERY_EVENT} />
          <Radio value="some" label="Only some" />
        </div>
      </Radio.Group>
      {types !== undefined && (
        <Checkbox.Group aria-label="Event types" value={types} onChange={setTypes}>
          <div className={classes.types}>
            {Object.keys(EVENT_EXAMPLES).map((type) => (
              <Checkbox key={type} value={type} label={type} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <ProblemAlert error={register.error} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={register.isPending} disabled={types?.length === 0}>
          Register
        </Button>
      </div>
    </form>
  )
}
