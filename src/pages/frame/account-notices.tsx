import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient, SESSION_KEY } from '../data/query-client.ts'
import { Notice, ProblemAlert } from '../parts/page.tsx'
import { Time } from '../parts/values.tsx'
import { usePersonSession } from '../sign-in/session.ts'
import { type NoticePage, useApplication } from './application.ts'

/** The acts, in the words of the person that they concern. */
const WORDS: Readonly<Record<string, string>> = {
  invitePersonAgain: 'A new link to sign in as you was made',
  endFormerAccess: 'A new link was opened: your passkeys and sessions of before end',
  changePerson: 'Your role was changed',
  addPasskey: 'A passkey was added to your account',
  removePasskey: 'A passkey was removed from your account',
  bindIdentity: 'Your account was bound to a sign-in at your provider',
  'operators.invite': 'A link to the desk was made',
  'operators.link': 'A link to the desk of this machine was made',
  'operators.change_role': 'Your role was changed',
  'operators.create_token': 'A token that acts as you was made',
  'operators.add_passkey': 'A passkey was added to your account',
  'operators.remove_passkey': 'A passkey was removed from your account',
  'operators.bind_identity': 'Your account was bound to a sign-in at your provider',
}

/** Above every page, until the person has seen it: all of it, so that no one hides an act behind others. */
export function AccountNotices() {
  const session = usePersonSession()
  const { person, replaced_at: replacedAt, signed_in_by: signedInBy } = session
  const { notices, notices_more: more, showOlder } = useNotices(session)
  const { api, oidcStart } = useApplication()
  const refresh = () => queryClient.invalidateQueries({ queryKey: SESSION_KEY })
  const [newest] = notices
  const seen = useMutation({ mutationFn: api.markNoticesSeen, onSuccess: refresh })
  const refuse = useMutation({ mutationFn: api.refuseLink, onSuccess: refresh })
  if (!newest && replacedAt === null) return null
  return (
    <Notice tone="warn" title="This was done to your account">
      <ul>
        {notices.map(({ action, about, by, at }) => (
          <li key={`${at} ${action}`}>
            {WORDS[action] ?? action}
            {about !== null && about !== person.email && ` for ${about}`}, by {by ?? 'the lender'},{' '}
            <Time at={at} />
          </li>
        ))}
      </ul>
      {replacedAt !== null && (
        <p>
          What you sign in with ends <Time at={replacedAt} />. If it was not you who opened the
          link, refuse it.
        </p>
      )}
      {signedInBy === 'oidc' && (
        <p>
          Without a passkey, <a href={`${oidcStart}?fresh=true`}>sign in again</a> before you refuse
          it, and come back here within 5 minutes.
        </p>
      )}
      <ProblemAlert error={seen.error ?? refuse.error ?? showOlder.error} />
      <Group gap="sm">
        {newest && more === 0 && (
          <Button size="compact-sm" loading={seen.isPending} onClick={() => seen.mutate(newest.at)}>
            I have seen this
          </Button>
        )}
        {more > 0 && (
          <Button
            size="compact-sm"
            loading={showOlder.isPending}
            onClick={() => showOlder.mutate(notices.at(-1)?.at ?? '')}
          >
            Show older ones ({more})
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          loading={refuse.isPending}
          onClick={() => refuse.mutate()}
        >
          It was not me: refuse the link
        </Button>
      </Group>
    </Notice>
  )
}

/** With the older ones that were asked for, until the session is read with others above them. */
function useNotices({ notices, notices_more: more }: NoticePage) {
  const { api } = useApplication()
  const [older, setOlder] = useState<NoticePage & { below: string | undefined }>()
  const below = notices.at(-1)?.at
  const shown = older && older.below === below ? older : { notices: [], notices_more: more }
  const showOlder = useMutation({
    mutationFn: api.listNotices,
    onSuccess: (page) => setOlder({ ...page, notices: [...shown.notices, ...page.notices], below }),
  })
  return { notices: [...notices, ...shown.notices], notices_more: shown.notices_more, showOlder }
}
