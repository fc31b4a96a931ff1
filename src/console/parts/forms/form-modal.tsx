import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { ProblemAlert } from '../notice.tsx'

type FormModalProps = {
  title: string
  submit: string
  isOpen: boolean
  isPending: boolean
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
            <Button variant="default" onClick={form.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
