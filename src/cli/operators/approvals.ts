import type { Command } from 'commander'
import { consoleLink, deskLink } from '../../config/page-address.ts'
import type { StoredLink } from '../../domain/operators/acts/acts.ts'
import {
  type Approval,
  listApprovals,
  listPendingApprovals,
} from '../../domain/operators/approvals/approvals.ts'
import { confirmApproval, rejectApproval } from '../../domain/operators/approvals/decide.ts'
import { type ChangeOptions, defineChange, offerReason, runChange } from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { locateConsole, locateDesk } from '../command/locate-pages.ts'
import { readId } from '../command/options.ts'
import { reportList, showTime } from '../command/output.ts'

const APPROVAL = ['<approval_id>', 'the approval, apr_…', readId('apr')] as const

const MOST_LISTED = 1_000

export function addApprovalCommands(program: Command, io: CliIo): void {
  const group = program
    .command('approvals')
    .description('Acts that one operator has proposed and another confirms.')
  addList(group, io)
  addConfirm(group, io)
  addReject(group, io)
}

function addList(group: Command, io: CliIo): void {
  defineCommand(group, 'list', 'List what waits for a second operator, soonest to expire first.', [
    'approvals list',
    'approvals list --all --json',
  ])
    .option('--all', 'also decided and expired ones, newest first')
    .action(async (options: CommonOptions & { all?: true }) => {
      await runCommand(io, options, async ({ db, now }) => {
        const approvals = options.all
          ? await listApprovals(db, now, MOST_LISTED)
          : await listPendingApprovals(db, now, MOST_LISTED)
        return reportList(approvals.map(toJson), {
          columns: ['id', 'status', 'action', 'subject', 'proposed by', 'expires', 'reason'],
          rows: approvals.map((one) => [
            ...[one.id, one.status, one.action, one.subject.id, one.proposedBy],
            ...[showTime(one.expiresAt), one.reason],
          ]),
          empty: options.all ? 'Nothing was proposed yet.' : 'Nothing waits for a second operator.',
        })
      })
    })
}

function addConfirm(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'confirm',
    'Do what another operator has proposed. Refused when it has expired, or when what it would change has changed since.',
    ['approvals confirm apr_… --actor grace@lender.example'],
  ).argument(...APPROVAL)
  command.action(async (approvalId: string, options: ChangeOptions) => {
    await runChange(io, options, async ({ change }) => {
      const { act, link } = await change(async (_tx, desk) => {
        const confirmed = await confirmApproval(desk, approvalId)
        return { result: confirmed, act: confirmed.act }
      })
      const { action, subject } = act
      const url = link && showLink(io, link)
      return {
        data: {
          ...{ approval_id: approvalId, status: 'CONFIRMED', action, subject },
          ...(url !== undefined && { invitation_url: url }),
        },
        text: [
          `${approvalId} is confirmed: ${action} of ${subject.id} is done.`,
          ...(url === undefined ? [] : ['', url, 'This link is shown only now.']),
        ].join('\n'),
      }
    })
  })
}

function showLink(io: CliIo, { to, token }: StoredLink): string {
  return to === 'desk' ? deskLink(locateDesk(io), token) : consoleLink(locateConsole(io), token)
}

function addReject(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'reject',
    "Reject what another operator has proposed, or withdraw one's own proposal.",
    ['approvals reject apr_… --actor grace@lender.example --reason "not before the hearing"'],
  ).argument(...APPROVAL)
  offerReason(command).action(async (approvalId: string, options: ChangeOptions) => {
    await runChange(io, options, async ({ change }) => {
      await change(async (_tx, desk) => ({
        result: undefined,
        act: await rejectApproval(desk, approvalId, options.reason),
      }))
      return {
        data: { approval_id: approvalId, status: 'REJECTED' },
        text: `${approvalId} is rejected.`,
      }
    })
  })
}

function toJson(approval: Approval) {
  return {
    id: approval.id,
    status: approval.status,
    action: approval.action,
    subject: approval.subject,
    tenant_id: approval.tenantId,
    before: approval.before,
    after: approval.after,
    reason: approval.reason,
    proposed_by: approval.proposedBy,
    proposed_at: approval.proposedAt,
    expires_at: approval.expiresAt,
    decided_by: approval.decidedBy,
    decided_at: approval.decidedAt,
    decision_reason: approval.decisionReason,
  }
}
