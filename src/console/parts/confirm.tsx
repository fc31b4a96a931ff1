import { Button, Modal } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemAlert } from './notice.tsx'

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
