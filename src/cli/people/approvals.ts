import { consoleLink, deskLink } from '../../config/page-address.ts'
import type { StoredLink } from '../../domain/operators/acts/acts.ts'
import { listApprovals, listPendingApprovals } from '../../domain/operators/approvals/approvals.ts'
import { confirmApproval, rejectApproval } from '../../domain/operators/approvals/decide.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CliCommand, change, list } from '../command/commands.ts'
import { locateConsole, locateDesk } from '../command/locate-pages.ts'
import { MAY_REASON } from '../command/members.ts'
import { MOST_LISTED, readId } from '../command/options.ts'
import { flag, required } from '../command/parameters.ts'

const APPROVAL = required('<approval_id>', 'the approval, apr_…', readId('apr'))

export const APPROVAL_COMMANDS: CliCommand[] = [
  list({
    name: 'approvals list',
    about: 'List what waits for a second operator, soonest to expire first.',
    examples: ['approvals list', 'approvals list --all --json'],
    takes: { all: flag('--all', 'also decided and expired ones, newest first') },
    async list({ db, now }, { all }) {
      const approvals = await (all ? listApprovals : listPendingApprovals)(db, now, MOST_LISTED)
      return approvals.map(({ preview: _, ...approval }) => approval)
    },
    columns: ['id', 'status', 'action', 'subject', 'proposed_by', 'expires_at', 'reason'],
    empty: ({ all }) =>
      all ? 'Nothing was proposed yet.' : 'Nothing waits for a second operator.',
  }),
  change({
    name: 'approvals confirm',
    about:
      'Do what another operator has proposed. Refused when it has expired, or when what it would change has changed since.',
    examples: ['approvals confirm apr_… --actor grace@lender.example'],
    takes: { approvalId: APPROVAL },
    async change({ io, makeChange }, { approvalId }) {
      const { act, link } = await makeChange(async (_tx, desk) => {
        const confirmed = await confirmApproval(desk, approvalId)
        return { result: confirmed, act: confirmed.act }
      })
      const { action, subject } = act
      const data = { approval_id: approvalId, status: 'CONFIRMED', action, subject }
      const shown = `${approvalId} is confirmed: ${action} of ${subject.id} is done.`
      if (!link) return { data, shown }
      const url = addressOf(io, link)
      return {
        data: { ...data, invitation_url: url },
        shown: `${shown}\n\n${url}\nThis link is shown only now.`,
      }
    },
  }),
  change({
    name: 'approvals reject',
    about: "Reject what another operator has proposed, or withdraw one's own proposal.",
    examples: [
      'approvals reject apr_… --actor grace@lender.example --reason "not before the hearing"',
    ],
    takes: { approvalId: APPROVAL, reason: MAY_REASON },
    async change({ makeChange, reason }, { approvalId }) {
      await makeChange(async (_tx, desk) => ({
        result: undefined,
        act: await rejectApproval(desk, approvalId, reason),
      }))
      return {
        data: { approval_id: approvalId, status: 'REJECTED' },
        shown: `${approvalId} is rejected.`,
      }
    },
  }),
]

function addressOf(io: CliIo, { to, token }: StoredLink): string {
  return to === 'desk' ? deskLink(locateDesk(io), token) : consoleLink(locateConsole(io), token)
}
