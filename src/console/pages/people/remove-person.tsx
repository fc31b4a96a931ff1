import { Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../../pages/data/query-client.ts'
import { Confirm } from '../../../pages/parts/forms.tsx'
import { Loading, ProblemAlert } from '../../../pages/parts/page.tsx'
import { consoleApi, KEYS, PEOPLE, type Person } from '../../data/console-api.ts'
import { isUsable } from '../keys/key-state.tsx'
import { revokeKey } from '../keys/revoke-key.ts'

/** Lists the keys that the person made, which go on working, and offers to revoke them first. */
export function RemovePerson({
  person,
  onClose,
}: {
  person: Person | undefined
  onClose: () => void
}) {
  const keys = useQuery({ queryKey: KEYS, queryFn: consoleApi.listKeys })
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const theirs = (keys.data?.items ?? []).filter(
    (key) => key.made_by === person?.id && isUsable(key),
  )
  const remove = useMutation({
    mutationFn: async () => {
      if (!person) return
      if (!keys.data) throw new Error('Their keys are not read yet.')
      for (const { id } of theirs) if (!kept.has(id)) await revokeKey(id)
      await consoleApi.removePerson(person.id)
      await queryClient.invalidateQueries({ queryKey: PEOPLE })
    },
    onSuccess: onClose,
  })
  const keep = (id: string, isKept: boolean) => {
    const others = [...kept].filter((one) => one !== id)
    setKept(new Set(isKept ? [...others, id] : others))
  }
  return (
    <Confirm
      title={`Remove ${person?.name ?? ''}?`}
      act="Remove"
      isOpen={person !== undefined}
      onClose={onClose}
      mutation={remove}
    >
      <p>Their sessions end at once and their passkeys are forgotten.</p>
      {keys.isPending && <Loading lines={1} />}
      <ProblemAlert error={keys.error} />
      {theirs.length > 0 && (
        <>
          <p>They made these keys, which go on working unless you revoke them.</p>
          {theirs.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={`Revoke ${name}`}
              checked={!kept.has(id)}
              onChange={(event) => keep(id, !event.currentTarget.checked)}
            />
          ))}
        </>
      )}
    </Confirm>
  )
}
