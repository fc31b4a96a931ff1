import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { live } from '../../../pages/data/query-client.ts'
import { Loading, Notice, Page, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { TablePanel } from '../../../pages/parts/panels.tsx'
import { type Column, timeColumn } from '../../../pages/parts/table.tsx'
import { Status, Time } from '../../../pages/parts/values.tsx'
import { call, type Schemas } from '../../data/operator-api.ts'
import { ActButton } from '../administration/act-button.tsx'
import { AdministrationTabs } from '../administration/administration-tabs.tsx'
import { AmendmentsPanel, AmendOlder } from './amendments.tsx'
import { TermsTable, termsInForce, usePolicy } from './margin-terms.tsx'
import { ProposePolicy } from './propose-policy.tsx'

type Policy = Schemas['MarginPolicyVersions']
type Version = Policy['versions'][number]

const STATES = {
  in_force: { tone: 'good', word: 'In force' },
  scheduled: { tone: 'warn', word: 'Scheduled' },
  superseded: { tone: 'plain', word: 'Superseded' },
  withdrawn: { tone: 'plain', word: 'Withdrawn' },
} as const

const COLUMNS: readonly Column<Version>[] = [
  { head: 'Version', short: true, cell: ({ version }) => version },
  {
    head: 'State',
    short: true,
    cell: ({ state }) => <Status tone={STATES[state].tone}>{STATES[state].word}</Status>,
  },
  timeColumn('From', (one) => one.effective_from, 'low'),
  {
    head: 'Proposed, signed by',
    keep: 'lowest',
    cell: (one) => `${one.proposed_by}, ${one.signed_by}`,
  },
  {
    head: 'Facilities',
    short: true,
    align: 'right',
    keep: 'low',
    cell: ({ bound, next }) => (next === 0 ? bound : `${bound}, ${next} to come`),
  },
  { head: 'Why', keep: 'low', breaks: true, cell: ({ note }) => note },
  {
    head: 'Change',
    short: true,
    align: 'right',
    cell: ({ version, state }) =>
      state === 'scheduled' ? (
        <ActButton
          isCompact
          act="margin_policy.withdraw"
          label="Withdraw"
          title={`Withdraw version ${version}?`}
          about="It never takes effect. Possible until 15 minutes before it would."
          run={(reason) =>
            call('withdrawMarginPolicy', { path: { number: version }, body: { reason } })
          }
        />
      ) : (
        state !== 'withdrawn' && <AmendOlder version={version} />
      ),
  },
]

export function MarginPolicyPage() {
  const { data, error } = usePolicy()
  if (!data) {
    return (
      <Page title="Margin policy">
        <Panel title="Terms">{error ? <ProblemAlert error={error} /> : <Loading />}</Panel>
      </Page>
    )
  }
  const next = data.versions.findLast(({ state }) => state === 'scheduled')
  const inForce = termsInForce(data)
  return (
    <Page
      title="Margin policy"
      about="Lines, hours and haircuts of the ladder. A version binds what is approved from its instant on; amendments bind older facilities."
      actions={<ProposePolicy from={next?.terms ?? inForce} />}
    >
      <AdministrationTabs />
      <Waiting />
      {next && (
        <Notice tone="calm" title={`Version ${next.version} is scheduled.`}>
          It takes effect at <Time at={next.effective_from} />.
        </Notice>
      )}
      <Panel title={next ? `In force, and version ${next.version}` : 'In force'} flush>
        <TermsTable inForce={inForce} next={next?.terms} />
      </Panel>
      <TablePanel
        title="Versions"
        label="Versions, newest first"
        columns={COLUMNS}
        rowKey={({ version }) => String(version)}
        rows={data.versions.toReversed()}
        empty={[
          'No version is stored',
          'The terms of the service itself are in force. Propose a version to change them.',
        ]}
      />
      <AmendmentsPanel />
    </Page>
  )
}

const WORDS = {
  'margin_policy.set': 'A new version',
  'margin_policy.withdraw': 'A withdrawal',
  'facilities.amend': 'An amendment',
  'facilities.withdraw_amendment': 'The withdrawal of an amendment',
}

/** Proposals that another operator has not decided. */
function Waiting() {
  const { data, error } = useQuery({
    queryKey: live('approvals'),
    queryFn: ({ signal }) => call('listApprovals', { signal }),
  })
  const waiting = data?.items.filter(({ action }) => Object.hasOwn(WORDS, action)) ?? []
  if (waiting.length === 0) return <ProblemAlert error={error} />
  return (
    <Notice tone="warn" title={`${waiting.length} waiting for a second operator.`}>
      {waiting.map(({ id, action, proposed_by: by, expires_at: until }) => (
        <div key={id}>
          <Link to="/approvals" search={{ id }}>
            {WORDS[action as keyof typeof WORDS]}
          </Link>
          , proposed by {by}, until <Time at={until} />
        </div>
      ))}
    </Notice>
  )
}
