import { Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApplication, usePageOfId } from './application.ts'
import type { NavigationGroup } from './navigation.ts'

/** Opens the page of an id, or a page of the menu by its name. */
export function FindById({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Find" size="md" yOffset="12vh" centered={false}>
      <FindForm onClose={onClose} />
    </Modal>
  )
}

function FindForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { navigation, idPages } = useApplication()
  const pageOfId = usePageOfId()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const find = () => {
    const to = pageOfId(text.trim()) ?? pageByName(navigation, text.trim())
    if (to === undefined) {
      setError(
        `Expected the name of a page, or an id that begins with ${Object.keys(idPages)
          .map((prefix) => `${prefix}_`)
          .join(', ')}.`,
      )
      return
    }
    onClose()
    void navigate({ to })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        find()
      }}
    >
      <TextInput
        data-autofocus
        label="Id or page"
        description="Paste any id of the API, such as one from a log, and press Enter."
        placeholder="fac_01m…"
        value={text}
        error={error}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setError(undefined)
        }}
      />
    </form>
  )
}

function pageByName(navigation: readonly NavigationGroup[], text: string): string | undefined {
  const name = text.toLowerCase()
  if (name === '') return undefined
  return navigation
    .flatMap(({ entries }) => entries)
    .find(({ label }) => label.toLowerCase().startsWith(name))?.to
}
