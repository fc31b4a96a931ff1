import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Page } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import type { Column } from '../../../pages/parts/table.tsx'
import { Ago, Id, Time } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { type ConsoleKey, consoleApi, KEYS } from '../../data/console-api.ts'
import { KeyState } from './key-state.tsx'
import { MakeKey } from './make-key.tsx'

const COLUMNS: readonly Column<ConsoleKey>[] = [
  {
    head: 'Name',
    cell: ({ id, name }) => (
      <Link to="/keys/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  { head: 'Id', cell: ({ id }) => <Id value={id} />, keep: 'low' },
  { head: 'State', short: true, cell: (key) => <KeyState of={key} /> },
  { head: 'Scopes', cell: ({ scopes }) => describeScopes(scopes), keep: 'lowest' },
  { head: 'Last used', short: true, cell: (key) => <Ago at={key.last_used_at} /> },
  {
    head: 'Expires (UTC)',
    short: true,
    keep: 'low',
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} brief /> : 'Never'),
  },
]

export function KeysPage() {
  const [isMaking, making] = useDisclosure()
  const keys = useQuery({ queryKey: KEYS, queryFn: consoleApi.listKeys })
  const make = useCan('key:write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={making.open}>
      Make a key
    </Button>
  )
  return (
    <Page
      title="Keys"
      about="Each request to the API is signed with a key’s private half. The pair is made in your browser; the service keeps the public half alone."
      actions={make}
    >
      <TablePanel
        title="API keys"
        label="Keys, one a row"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rows={keys.data?.items}
        error={keys.error}
        empty={[
          'No key yet',
          'Make one to send your first signed request. It takes a minute.',
          make,
        ]}
      />
      <MakeKey isOpen={isMaking} onClose={making.close} />
    </Page>
  )
}

function describeScopes(scopes: readonly string[]): string {
  return scopes.length > 3
    ? `${scopes.slice(0, 3).join(', ')} and ${scopes.length - 3} more`
    : scopes.join(', ')
}
