import { Button, type ButtonProps, Group, Modal, Stack, Tooltip } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { FormEventHandler, ReactNode } from 'react'
import { useCan } from '../sign-in/session.ts'
import { Code } from './code.tsx'
import { Notice, ProblemAlert } from './page.tsx'

type FormModalProps = {
  title: string
  submit: string
  isOpen: boolean
  isPending: boolean
  /** Nothing is left to cancel. */
  isDone?: boolean
  error: unknown
  onClose: () => void
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
}

/** One change of the API: its fields, its refusal, and the button that sends it. */
export function FormModal({ title, submit, isOpen, isPending, error, ...form }: FormModalProps) {
  return (
    <Modal opened={isOpen} onClose={form.onClose} title={title}>
      <form onSubmit={form.onSubmit} noValidate>
        <Stack gap="sm">
          {form.children}
          <ProblemAlert error={error} />
          <Group justify="flex-end" mt="xs">
            {!form.isDone && (
              <Button variant="default" onClick={form.onClose}>
                Cancel
              </Button>
            )}
            <Button type="submit" loading={isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

type ConfirmProps = {
  title: string
  /** The button, as a verb. */
  act: string
  isOpen: boolean
  onClose: () => void
  mutation: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>
  children: ReactNode
}

export function Confirm({ title, act, isOpen, onClose, mutation, children }: ConfirmProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <div style={{ display: 'grid', gap: 16 }}>
        <div>{children}</div>
        <ProblemAlert error={mutation.error} />
        <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red.8" loading={mutation.isPending} onClick={() => mutation.mutate()}>
            {act}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

type GuardedProps = Omit<ButtonProps, 'disabled'> & {
  scope: string
  /** Why the thing itself does not allow it now. */
  reason?: string | undefined
  title?: string
  type?: 'button' | 'submit'
  onClick?: () => void
  children: ReactNode
}

/** A button that writes: without the scope, or while there is a reason, it shows why not. */
export function GuardedButton({ scope, reason, type = 'button', onClick, ...props }: GuardedProps) {
  const can = useCan(scope)
  const refusal = can ? reason : `Your role does not include ${scope}.`
  if (refusal === undefined) return <Button size="xs" {...props} type={type} onClick={onClick} />
  return (
    <Tooltip label={refusal} multiline maw={280} openDelay={0}>
      <Button
        size="xs"
        {...props}
        type="button"
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  )
}

type ShownOnceProps = {
  title: string
  about: string
  value: string
  /** Its name for screen readers. */
  label: string
  onClose: () => void
}

/** A secret that was just made, and is stored nowhere. */
export function ShownOnce({ title, about, value, label, onClose }: ShownOnceProps) {
  return (
    <Stack>
      <Notice tone="warn" title={title}>
        {about}
      </Notice>
      <Code code={value} label={label} wrap />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

type LinkProps = { name: string; url: string; onClose: () => void }

export function InvitationLink({ name, url, onClose }: LinkProps) {
  return (
    <ShownOnce
      title="Send this link yourself: it is shown once."
      about={`It is for ${name} alone, works once, and for 24 hours.`}
      value={url}
      label="Invitation link"
      onClose={onClose}
    />
  )
}
