import { Button, JsonInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { EVENT_EXAMPLES } from '../../../client/generated/event-examples.ts'
import type { EventType } from '../../../client/resources/resources.ts'
import { Json } from '../../../pages/parts/code.tsx'
import { SelectField } from '../../../pages/parts/fields.tsx'
import { Notice, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Status } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import classes from './webhooks.module.css'

const TYPES = Object.keys(EVENT_EXAMPLES) as EventType[]
const exampleOf = (type: EventType) => JSON.stringify(EVENT_EXAMPLES[type], null, 2)

/** A signed event that nothing has caused: neither log nor loans change. */
export function TestEvent({ webhookId, types }: { webhookId: string; types: readonly string[] }) {
  const offered = types.length === 0 ? TYPES : TYPES.filter((type) => types.includes(type))
  const [type, setType] = useState<EventType>(offered[0] ?? 'borrower.eligible')
  const [text, setText] = useState(exampleOf(type))
  const simulate = useMutation({
    mutationFn: () =>
      service.simulateDelivery({ webhook_id: webhookId, event_type: type, data: JSON.parse(text) }),
  })
  return (
    <Panel title="Send a test event">
      <div className={classes.two}>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault()
            simulate.mutate()
          }}
        >
          <SelectField
            label="Type"
            value={type}
            data={offered}
            onChange={(chosen) => {
              setType(chosen)
              setText(exampleOf(chosen))
            }}
          />
          <JsonInput
            label="Data"
            value={text}
            onChange={setText}
            validationError="This is no JSON yet."
            formatOnBlur
            autosize
            minRows={6}
            maxRows={16}
            classNames={{ input: 'mono' }}
          />
          <div>
            <Button type="submit" loading={simulate.isPending}>
              Send it
            </Button>
          </div>
        </form>
        <Outcome of={simulate} />
      </div>
    </Panel>
  )
}

function Outcome({ of: { data, error } }: { of: { data?: Answered | undefined; error: unknown } }) {
  if (error) return <ProblemAlert error={error} />
  if (!data) {
    return (
      <p className="quiet">
        The endpoint’s answer appears here. The event is signed like a real one, and nothing is
        written to the log.
      </p>
    )
  }
  const { status, body, error: failure } = data.response
  if (failure) {
    return (
      <Notice tone="bad" title="The endpoint did not answer.">
        {failure}
      </Notice>
    )
  }
  return (
    <div className={classes.stack}>
      <div>
        <Status tone={status < 300 ? 'good' : 'bad'}>{`Answered ${status}`}</Status>
      </div>
      {body === '' ? (
        <p className="quiet">With an empty body.</p>
      ) : (
        <Json value={body} label="Answer’s body" />
      )}
    </div>
  )
}

type Answered = Awaited<ReturnType<typeof service.simulateDelivery>>
