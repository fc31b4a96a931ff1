import { Drawer, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Facts, Loading, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Id, ResourceId, Time } from '../../../pages/parts/values.tsx'
import { changeOf } from '../../data/difference.ts'
import { call } from '../../data/operator-api.ts'
import { Difference } from '../../parts/difference.tsx'
import { TenantLink } from '../../parts/tenants.tsx'
import { actInWords } from '../../parts/words.ts'

type DrawerProps = { number: string | undefined; onClose: () => void }

export function ActionDrawer({ number, onClose }: DrawerProps) {
  return (
    <Drawer
      opened={number !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={`Action ${number ?? ''}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {number !== undefined && <Content number={number} />}
    </Drawer>
  )
}

function Content({ number }: { number: string }) {
  const action = useQuery({
    queryKey: ['action', number],
    queryFn: ({ signal }) => call('getAction', { path: { number: Number(number) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (action.isPending) return <Loading />
  if (action.error) return <ProblemAlert error={action.error} />
  const { data } = action
  return (
    <Stack>
      <Facts
        items={[
          ['What', actInWords(data.action)],
          ['Who', data.actor],
          ['At', <Time key="a" at={data.at} />],
          [
            'Of',
            data.subject ? (
              <ResourceId key="s" value={data.subject.id} tenantId={data.tenant_id} />
            ) : (
              '–'
            ),
          ],
          ['Tenant', data.tenant_id ? <TenantLink key="t" id={data.tenant_id} /> : '–'],
          ['Reason', data.reason ?? '–'],
          ['Request id', data.request_id ? <Id key="r" value={data.request_id} /> : 'a command'],
          ['Hash', <Id key="h" value={data.hash} />],
          ['Hash of the one before', <Id key="p" value={data.previous_hash} />],
        ]}
      />
      <Difference {...changeOf(data)} />
    </Stack>
  )
}
