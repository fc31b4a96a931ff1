import { Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { TextField } from '../../pages/parts/fields.tsx'
import { FormModal } from '../../pages/parts/forms.tsx'
import { Notice } from '../../pages/parts/page.tsx'

/** Of an act that may need a second operator. */
export type Outcome = { outcome: 'done' | 'proposed'; approval_id: string | null }

type ReasonDialogProps = {
  title: string
  act: string
  isOpen: boolean
  onClose: () => void
  run: (reason: string, destination: string) => Promise<unknown>
  /** What follows, before the reason. */
  children: ReactNode
  /** Beside the reason. */
  fields?: ReactNode
  /** Where money goes. */
  asksDestination?: boolean
  /** In place of the form, once it is done; by default a proposal, or nothing. */
  result?: (answer: unknown) => ReactNode
}

/** An act that is recorded with the reason given here. Stays open with the proposal, where another
 * operator is to confirm it. */
export function ReasonDialog({ isOpen, ...props }: ReasonDialogProps) {
  // Mounted by each opening, so that the form is empty.
  return isOpen ? <OpenDialog {...props} /> : null
}

function OpenDialog({
  title,
  act,
  onClose,
  run,
  children,
  fields,
  asksDestination = false,
  result,
}: Omit<ReasonDialogProps, 'isOpen'>) {
  const [reason, setReason] = useState('')
  const [destination, setDestination] = useState('')
  const [isTried, setTried] = useState(false)
  const [answer, setAnswer] = useState<unknown>()
  const mutation = useMutation({
    mutationFn: () => run(reason.trim(), destination),
    onSuccess: (given) => {
      if (result || isProposal(given)) setAnswer(given)
      else onClose()
    },
  })
  const shown = answer !== undefined && (result?.(answer) ?? <Proposal answer={answer} />)
  const isBlank = reason.trim() === ''
  const isReady = !asksDestination || destination.trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (shown) onClose()
    else if (!isBlank && isReady) mutation.mutate()
  }
  return (
    <FormModal
      title={title}
      submit={shown ? 'Close' : act}
      isOpen
      isPending={mutation.isPending}
      isDone={Boolean(shown)}
      error={mutation.error}
      onClose={onClose}
      onSubmit={submit}
    >
      {shown || (
        <>
          <p>{children}</p>
          {fields}
          {asksDestination && (
            <TextField
              label="Destination"
              value={destination}
              maxLength={200}
              onChange={setDestination}
              required
            />
          )}
          <Textarea
            data-autofocus
            label="Reason"
            description="Kept on record with your name."
            value={reason}
            maxLength={500}
            autosize
            minRows={2}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={isTried && isBlank ? 'Enter the reason.' : undefined}
            required
          />
        </>
      )}
    </FormModal>
  )
}

const isProposal = (answer: unknown): answer is Outcome =>
  (answer as Partial<Outcome> | undefined)?.outcome === 'proposed'

export function Proposal({ answer }: { answer: unknown }) {
  if (!isProposal(answer)) return null
  return (
    <Notice tone="calm" title="Proposed. Another operator confirms it.">
      It waits under <Link to="/approvals">Approvals</Link> as {answer.approval_id}.
    </Notice>
  )
}
