import { Modal, Stack, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ProblemAlert } from '../parts/notice.tsx'
import { type FoundPage, useApplication, usePageOfId } from './application.ts'
import type { NavigationGroup } from './navigation.ts'

/** Opens the page of an id, of a tenant's own id, or a page of the menu by its name. */
export function FindById({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Find" size="md" yOffset="12vh" centered={false}>
      <FindForm onClose={onClose} />
    </Modal>
  )
}

type Found = { pages: readonly FoundPage[] } | { problem: unknown } | undefined

function FindForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { navigation, findByExternalId } = useApplication()
  const pageOfId = usePageOfId()
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found>()
  const open = (to: string) => {
    onClose()
    void navigate({ to })
  }
  const find = async () => {
    const asked = text.trim()
    const to = (isId(asked) ? pageOfId(asked) : undefined) ?? pageByName(navigation, asked)
    if (to !== undefined) return open(to)
    try {
      const pages = asked === '' ? [] : await findByExternalId(asked)
      const [only] = pages
      if (only && pages.length === 1) return open(only.to)
      setFound({ pages })
    } catch (problem) {
      setFound({ problem })
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void find()
      }}
    >
      <Stack gap="xs">
        <TextInput
          data-autofocus
          label="Id or page"
          description="Paste any id of the API, such as one from a log, or your own external id, and press Enter."
          placeholder="fac_01m…"
          value={text}
          error={found && 'pages' in found && found.pages.length === 0 && NOTHING_FOUND}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setFound(undefined)
          }}
        />
        {found && 'problem' in found && <ProblemAlert error={found.problem} />}
        {found &&
          'pages' in found &&
          found.pages.map(({ label, to }) => (
            <Link key={to} to={to} onClick={onClose}>
              {label}
            </Link>
          ))}
      </Stack>
    </form>
  )
}

const NOTHING_FOUND =
  'Nothing found. Expected an id of the API, an external id of a borrower or a facility, or the name of a page.'

/** Others may begin alike. */
const isId = (text: string) => /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}(\/[1-9]\d*)?$/.test(text)

function pageByName(navigation: readonly NavigationGroup[], text: string): string | undefined {
  const name = text.toLowerCase()
  if (name === '') return undefined
  return navigation
    .flatMap(({ entries }) => entries)
    .find(({ label }) => label.toLowerCase().startsWith(name))?.to
}
