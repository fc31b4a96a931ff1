import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../pages/data/query-client.ts'
import { Facts, Loading, Notice, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { type Column, DataTable } from '../../../pages/parts/table.tsx'
import { Time } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { call, type Schemas } from '../../data/operator-api.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { TenantLink } from '../../parts/tenants.tsx'
import { OperationsTabs } from './operations-tabs.tsx'

type LastAudit = Schemas['LastAudit']

type Row = LastAudit['findings'][number]['violations'][number] & {
  invariant: string
  check: string
}

const COLUMNS: readonly Column<Row>[] = [
  {
    head: 'Invariant',
    short: true,
    cell: ({ invariant, check }) => <span title={check}>{invariant}</span>,
  },
  { head: 'Subject', breaks: true, cell: ({ subject }) => <span className="mono">{subject}</span> },
  { head: 'What is wrong', cell: ({ detail }) => detail },
  {
    head: 'Tenant',
    keep: 'lowest',
    cell: ({ tenant_id: id }) => id !== '' && <TenantLink id={id} />,
  },
]

const AUDIT = ['operations', 'audit']

export function AuditPage() {
  const [isAsking, asking] = useDisclosure()
  const mayAsk = useCan('audit.request')
  const audit = useQuery({
    queryKey: AUDIT,
    queryFn: () => call('getLastAudit', {}),
    refetchInterval: 10_000,
  })
  const { data, error, isPending } = audit
  return (
    <Page
      title="Audit"
      about="Checks of everything that must hold: balances, events, deliveries, the record of operators. Workers make one every hour."
      actions={
        mayAsk && (
          <Button variant="default" disabled={data?.requested_at !== null} onClick={asking.open}>
            Check now
          </Button>
        )
      }
    >
      <OperationsTabs />
      <ProblemAlert error={error} />
      {isPending && <Loading />}
      {data && <LastAuditPanel audit={data} />}
      <ReasonDialog
        title="Check the invariants now?"
        act="Check"
        isOpen={isAsking}
        onClose={asking.close}
        run={async (reason) => {
          await call('requestAudit', { body: { reason } })
          await queryClient.invalidateQueries({ queryKey: AUDIT })
          return undefined
        }}
      >
        A worker begins within a minute and reads what was written since the last audit. It locks
        nothing that a tenant waits for.
      </ReasonDialog>
    </Page>
  )
}

function LastAuditPanel({ audit }: { audit: LastAudit }) {
  const rows = audit.findings.flatMap(({ invariant, check, violations }) =>
    violations.map((violation) => ({ ...violation, invariant, check })),
  )
  const found = Object.values(audit.violations).reduce((sum, count) => sum + count, 0)
  return (
    <>
      {audit.requested_at !== null && (
        <Notice tone="calm" title="An audit was asked for. A worker begins within a minute." />
      )}
      <Panel title="Last audit">
        <Facts
          items={[
            ['Ended', <Time key="ended" at={audit.finished_at} />],
            ['Violations', found.toLocaleString('en')],
            ['Checks that did not finish', audit.unfinished],
          ]}
        />
      </Panel>
      <Panel title="What violates them" flush={rows.length > 0}>
        {rows.length === 0 ? (
          <Notice
            tone={audit.finished_at === null ? 'warn' : 'good'}
            title={audit.finished_at === null ? 'No audit has ended yet.' : 'Nothing was found.'}
          />
        ) : (
          <DataTable
            label="Violations, one a row"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ check, tenant_id, subject, detail }) =>
              `${check} ${tenant_id} ${subject} ${detail}`
            }
          />
        )}
      </Panel>
    </>
  )
}
