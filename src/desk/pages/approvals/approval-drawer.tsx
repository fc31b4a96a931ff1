import { Button, Drawer, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { live } from '../../../pages/data/query-client.ts'
import { useChange } from '../../../pages/data/use-change.ts'
import { Code } from '../../../pages/parts/code.tsx'
import { GuardedButton } from '../../../pages/parts/forms.tsx'
import { Facts, Loading, Notice, ProblemAlert } from '../../../pages/parts/page.tsx'
import { ResourceId, Status, Time } from '../../../pages/parts/values.tsx'
import { changeOf } from '../../data/difference.ts'
import { call, type Schemas, useSession } from '../../data/operator-api.ts'
import { Difference } from '../../parts/difference.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { TenantLink } from '../../parts/tenants.tsx'
import { APPROVAL_STATES, actInWords } from '../../parts/words.ts'
import { CorrectionEffect, type Preview } from '../margin/correction-effect.tsx'
import { AmendmentEffect } from '../policy/amendment-effect.tsx'
import { PolicyEffect, type PolicyPreview, ResidencyEffect } from '../policy/effects.tsx'
import type { Terms } from '../policy/margin-terms.tsx'
import { TONES } from './tones.ts'

type Approval = Schemas['Approval']

export function ApprovalDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title="Proposal"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {id !== undefined && <Content key={id} id={id} />}
    </Drawer>
  )
}

function Content({ id }: { id: string }) {
  const approval = useQuery({
    queryKey: live('approval', id),
    queryFn: ({ signal }) => call('getApproval', { path: { id }, signal }),
  })
  if (approval.isPending) return <Loading />
  if (approval.error) return <ProblemAlert error={approval.error} />
  const { data } = approval
  return (
    <Stack>
      <Facts items={factsOf(data)} />
      <Difference {...changeOf(data)} />
      <Effect approval={data} />
      {data.status === 'PENDING' && <Decision approval={data} />}
    </Stack>
  )
}

/** On the live book, as it was seen at the proposal and, while it waits, as it is now. */
function Effect({ approval }: { approval: Approval }) {
  const { action, status, subject, before, after, preview } = approval
  const isWaiting = status === 'PENDING'
  if (action === 'margin_policy.set') {
    const { version: _, effective_from: __, preview: ___, ...terms } = after ?? {}
    const seen = (after?.preview ?? preview ?? undefined) as PolicyPreview | undefined
    const [now, former] = [isWaiting ? (terms as Terms) : undefined, before as Terms]
    return <PolicyEffect terms={now} before={former} proposed={seen} />
  }
  if (action === 'residency.set' && isWaiting) {
    return <ResidencyEffect country={subject.id.slice(0, 2)} />
  }
  if (action === 'facilities.amend' && isWaiting) {
    const { id } = approval
    const read = async (signal: AbortSignal) =>
      (await call('getApprovalEffect', { path: { id }, signal })).amendment
    return <AmendmentEffect of={{ approval: id }} read={read} />
  }
  if (action === 'facilities.correct' && preview) {
    return <CorrectionEffect preview={(preview as { preview: Preview }).preview} />
  }
  return null
}

function factsOf(approval: Approval) {
  return [
    [
      'State',
      <Status key="s" tone={TONES[approval.status]}>
        {APPROVAL_STATES[approval.status]}
      </Status>,
    ],
    ['What', actInWords(approval.action)],
    ['Of', <ResourceId key="o" value={approval.subject.id} tenantId={approval.tenant_id} />],
    ...(approval.tenant_id
      ? [['Tenant', <TenantLink key="t" id={approval.tenant_id} />] as const]
      : []),
    ['Proposed by', approval.proposed_by],
    ['Proposed', <Time key="p" at={approval.proposed_at} />],
    ['Reason', approval.reason],
    ['Until', <Time key="u" at={approval.expires_at} />],
    ...(approval.decided_by
      ? [
          ['Decided by', approval.decided_by] as const,
          ['Decided', <Time key="d" at={approval.decided_at} />] as const,
        ]
      : []),
    ...(approval.decision_reason ? [['Because', approval.decision_reason] as const] : []),
  ] as const
}

function Decision({ approval }: { approval: Approval }) {
  const { person } = useSession()
  const { id, action } = approval
  const isOwn = approval.proposed_by === person.email
  const [reason, setReason] = useState('')
  const confirm = useChange({
    change: (_: null, idempotencyKey) => call('confirmApproval', { path: { id }, idempotencyKey }),
  })
  const reject = useChange({
    change: (why: string, idempotencyKey) =>
      call('rejectApproval', { path: { id }, body: { reason: why }, idempotencyKey }),
  })
  return (
    <Stack component="section" aria-label="Decide" gap="sm">
      {isOwn && (
        <Notice tone="calm" title="You proposed this: another operator confirms it.">
          You may withdraw it.
        </Notice>
      )}
      <ProblemAlert error={confirm.error ?? reject.error} />
      {confirm.data?.invitation_url && (
        <Code code={confirm.data.invitation_url} label="Invitation link, shown once" wrap />
      )}
      <ReasonField
        value={reason}
        onChange={setReason}
        description={isOwn ? 'Why you withdraw it.' : 'Needed to reject it.'}
        required={false}
      />
      <Group justify="flex-end">
        <Button
          variant="default"
          disabled={reason.trim() === ''}
          loading={reject.isPending}
          onClick={() => reject.mutate(reason)}
        >
          {isOwn ? 'Withdraw' : 'Reject'}
        </Button>
        <GuardedButton
          size="sm"
          scope={action}
          reason={isOwn ? 'Another operator than the one who proposed it confirms.' : undefined}
          loading={confirm.isPending}
          onClick={() => confirm.mutate(null)}
        >
          Confirm
        </GuardedButton>
      </Group>
    </Stack>
  )
}
