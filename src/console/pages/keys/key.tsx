import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Confirm } from '../../../pages/parts/forms.tsx'
import { Empty, Facts, Loading, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Ago, Id, Time } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { consoleApi, KEYS } from '../../data/console-api.ts'
import { FirstRequest } from './first-request.tsx'
import { isUsable, KeyState } from './key-state.tsx'
import { revokeKey } from './revoke-key.ts'

export function KeyPage() {
  const { id } = useParams({ from: '/keys/$id' })
  const keys = useQuery({ queryKey: KEYS, queryFn: consoleApi.listKeys })
  const [isRevoking, revoking] = useDisclosure()
  const mayRevoke = useCan('key:write')
  const crumbs = <Link to="/keys">Keys</Link>
  const key = keys.data?.items.find((one) => one.id === id)
  if (key === undefined) {
    return (
      <Page title="Key" crumbs={crumbs}>
        <ProblemAlert error={keys.error} />
        {keys.isPending && <Loading />}
        {keys.data && <Empty title="There is no such key">{id} is no key of this tenant.</Empty>}
      </Page>
    )
  }
  return (
    <Page
      title={key.name}
      beside={<KeyState of={key} />}
      crumbs={crumbs}
      actions={
        mayRevoke &&
        !key.revoked_at && (
          <Button variant="default" onClick={revoking.open}>
            Revoke
          </Button>
        )
      }
    >
      <Panel title="Details">
        <Facts
          items={[
            ['Id', <Id key="id" value={key.id} />],
            ['Fingerprint', <Id key="print" value={key.fingerprint} />],
            ['Made', <Time key="made" at={key.created_at} />],
            ['Expires', key.expires_at ? <Time key="end" at={key.expires_at} /> : 'Never'],
            ['Last used', <Ago key="used" at={key.last_used_at} />],
            ...(key.revoked_at
              ? ([['Revoked', <Time key="revoked" at={key.revoked_at} />]] as const)
              : []),
            ['Scopes', key.scopes.join(', ')],
            [
              'Requests',
              <Link key="requests" to="/requests" search={{ key_id: key.id }}>
                Signed with this key
              </Link>,
            ],
          ]}
        />
      </Panel>
      {isUsable(key) && <FirstRequest of={key} />}
      <Revoke id={id} isOpen={isRevoking} onClose={revoking.close} />
    </Page>
  )
}

function Revoke({ id, isOpen, onClose }: { id: string; isOpen: boolean; onClose: () => void }) {
  const revoke = useMutation({ mutationFn: () => revokeKey(id), onSuccess: onClose })
  return (
    <Confirm
      title="Revoke this key?"
      act="Revoke the key"
      isOpen={isOpen}
      onClose={onClose}
      mutation={revoke}
    >
      Requests signed with it are refused within 5 seconds, and it cannot be brought back.
    </Confirm>
  )
}
