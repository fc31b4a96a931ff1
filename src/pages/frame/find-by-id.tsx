import { Modal, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '../data/query-client.ts'
import { TextField } from '../parts/fields.tsx'
import { ProblemAlert } from '../parts/page.tsx'
import { type NavigationGroup, useApplication, usePageOfId } from './application.ts'

/** Opens the page of an id, of a tenant's own id, or a page of the menu by its name. */
export function FindById({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Find" size="md" yOffset="12vh" centered={false}>
      <FindForm onClose={onClose} />
    </Modal>
  )
}

/** While someone types, nothing is asked. */
const PAUSE_MS = 150

function FindForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { names, navigation, suggest } = useApplication()
  const pageOfId = usePageOfId()
  const [text, setText] = useState('')
  const [sought, setSought] = useState(false)
  const asked = text.trim()
  const [paused] = useDebouncedValue(asked, PAUSE_MS)
  const pageOf = (start: string) => (isId(start) ? pageOfId(start) : undefined)
  const to = pageOf(asked) ?? pageByName(navigation, asked)
  // The page of an id is known without a search.
  const isUnknown = (start: string) => start !== '' && pageOf(start) === undefined
  const searchFor = (start: string) => ({
    queryKey: ['find', start],
    queryFn: () => suggest(start),
  })
  const found = useQuery({ ...searchFor(paused), enabled: isUnknown(paused) })
  const pages = paused === asked ? (found.data ?? []) : []
  const open = (page: string) => {
    onClose()
    void navigate({ to: page })
  }
  const isNone = sought && asked === paused && !found.isFetching && pages.length === 0
  const find = async () => {
    if (to !== undefined) return open(to)
    const all = isUnknown(asked) ? await queryClient.fetchQuery(searchFor(asked)) : []
    const exact = all.filter(({ name }) => name === asked)
    const [only, ...others] = exact.length > 0 ? exact : all
    if (only && others.length === 0) return open(only.to)
    setSought(true)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // A failure is shown beside the field.
        find().catch(() => setSought(true))
      }}
    >
      <Stack gap="xs">
        <TextField
          data-autofocus
          label="Id or page"
          description={`Any id of the API, such as one from a log, ${names}, or a page.`}
          placeholder="fac_01m…"
          value={text}
          error={
            isNone &&
            !found.error &&
            `Nothing found. Expected an id of the API, ${names}, or a page.`
          }
          autoComplete="off"
          spellCheck={false}
          onChange={(value) => {
            setText(value)
            setSought(false)
          }}
        />
        <ProblemAlert error={found.error} />
        {pages.map(({ name, about, to: page }) => (
          <Link key={`${about} ${page}`} to={page} onClick={onClose}>
            {name}, {about}
          </Link>
        ))}
      </Stack>
    </form>
  )
}

/** Others may begin alike. */
const isId = (text: string) => /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}(\/[1-9]\d*)?$/.test(text)

function pageByName(navigation: readonly NavigationGroup[], text: string): string | undefined {
  const name = text.toLowerCase()
  if (name === '') return undefined
  return navigation
    .flatMap(({ entries }) => entries)
    .find(({ label }) => label.toLowerCase().startsWith(name))?.to
}
