import { type Command, Option } from 'commander'
import type { Report } from '../../command-line/text.ts'
import { Refusal } from '../../core/errors.ts'
import { getBorrower } from '../../domain/onboarding/borrowers.ts'
import { listAllReviews, listReviews } from '../../domain/onboarding/reviews.ts'
import {
  APPROVE_BORROWER,
  BLOCK_BORROWER,
  REJECT_BORROWER,
  UNBLOCK_BORROWER,
} from '../../domain/operators/acts/borrower-acts.ts'
import {
  type ChangeOptions,
  type ChangeSession,
  defineChange,
  offerReason,
  reportOutcome,
  runChange,
} from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { defineCommand, runCommand, type TenantOptions } from '../command/define-command.ts'
import { reportNamed } from '../command/named.ts'
import { readId, requireTenant } from '../command/options.ts'
import { showTime } from '../command/output.ts'
import { assertTenant, type Session } from '../command/session.ts'
import { addBlocked } from './blocked-borrowers.ts'
import { reportBorrower } from './borrower-report.ts'
import { addFind } from './find-borrowers.ts'
import { addErase, addExport } from './personal-data.ts'

type BlockOptions = ChangeOptions & { tenant: string }

type ReviewOptions = ChangeOptions & {
  tenant?: string
  approve?: true
  reject?: true
  note?: string
}

const BORROWER = ['<borrower_id>', 'the borrower, bor_…', readId('bor')] as const

export function addBorrowerCommands(program: Command, io: CliIo): void {
  const group = program
    .command('borrowers')
    .description('Reviews, blocks and personal data of borrowers.')
  addReview(group, io)
  addBlock(group, io)
  addUnblock(group, io)
  addBlocked(group, io)
  addShow(group, io)
  addFind(group, io)
  addExport(group, io)
  addErase(group, io)
}

function addReview(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'review',
    'List the checks that wait for the operator, or decide those of one borrower. Approval also overrides failed checks.',
    [
      'borrowers review',
      'borrowers review --tenant ten_…',
      'borrowers review bor_… --tenant ten_… --approve --note "passport seen on 3 November"',
      'borrowers review bor_… --tenant ten_… --reject --note "document forged"',
    ],
  )
    .argument('[borrower_id]', BORROWER[1], BORROWER[2])
    .option('--approve', 'pass the checks')
    .addOption(new Option('--reject', 'fail the checks').conflicts('approve'))
    .option('--note <text>', 'why, for the record')
  command.option('--tenant <id>', 'one tenant, ten_…; needed to decide', readId('ten'))
  command.action(async (borrowerId: string | undefined, options: ReviewOptions) => {
    await runChange(io, options, async (session) => {
      if (!options.approve && !options.reject && options.note === undefined) {
        return await reportReviews(session, options.tenant, borrowerId)
      }
      return await decide(session, borrowerId, options)
    })
  })
}

async function reportReviews(
  session: Session,
  tenantId: string | undefined,
  borrowerId: string | undefined,
): Promise<Report> {
  const reviews = (await findReviews(session, tenantId, borrowerId)).filter(
    (review) => borrowerId === undefined || review.borrowerId === borrowerId,
  )
  const items = reviews.map((review) => ({
    tenant_id: review.tenantId,
    borrower_id: review.borrowerId,
    check_id: review.checkId,
    kind: review.kind,
    full_name: review.fullName,
    note: review.note,
    created_at: review.createdAt,
  }))
  return await reportNamed(session.db, items, {
    columns: ['tenant', 'borrower', 'check', 'signed by', 'waiting since', 'note'],
    rows: reviews.map((review) => [
      ...[review.tenantId, review.borrowerId, review.kind, review.fullName ?? ''],
      ...[showTime(review.createdAt), review.note ?? ''],
    ]),
    empty: 'No check waits for a decision.',
  })
}

async function findReviews(
  session: Session,
  tenantId: string | undefined,
  borrowerId: string | undefined,
) {
  if (tenantId === undefined) return await listAllReviews(session.db)
  await assertTenant(session, tenantId)
  if (borrowerId !== undefined) await getBorrower(session.db, tenantId, borrowerId)
  return await listReviews(session.db, tenantId)
}

async function decide(
  session: ChangeSession,
  borrowerId: string | undefined,
  { tenant, approve, reject, note = '' }: ReviewOptions,
): Promise<Report> {
  if (borrowerId === undefined) {
    throw new Refusal('validation_failed', 'Name the borrower to decide on.')
  }
  if (tenant === undefined) {
    throw new Refusal('validation_failed', "Name the borrower's tenant with --tenant.")
  }
  if (!approve && !reject) throw new Refusal('validation_failed', 'Add --approve or --reject.')
  if (note.trim() === '') {
    throw new Refusal('validation_failed', 'Add the reason for the decision with --note.')
  }
  await assertTenant(session, tenant)
  const act = approve ? APPROVE_BORROWER : REJECT_BORROWER
  const outcome = await session.changeOrPropose(act, { tenantId: tenant, borrowerId }, note)
  const verdict = approve ? 'approved' : 'rejected'
  return reportOutcome(outcome, (count) => ({
    data: { borrower_id: borrowerId, decision: verdict, checks_decided: count, note },
    text: `${count} ${count === 1 ? 'check' : 'checks'} of ${borrowerId} ${verdict}. Eligibility is evaluated in a moment.`,
  }))
}

function addBlock(group: Command, io: CliIo): void {
  const command = defineChange(
    group,
    'block',
    'Block a borrower from facilities and draws. A borrower not yet eligible does not become so.',
    ['borrowers block bor_… --tenant ten_… --reason "court order 12/2026"'],
  )
    .argument(...BORROWER)
    .requiredOption('--reason <text>', 'why, for the record')
  requireTenant(command).action(
    async (borrowerId: string, options: BlockOptions & { reason: string }) => {
      if (options.reason.trim() === '') {
        throw new Refusal('validation_failed', 'The reason must not be empty.')
      }
      await runChange(io, options, async (session) => {
        const { tenant: tenantId, reason } = options
        await assertTenant(session, tenantId)
        const outcome = await session.changeOrPropose(
          BLOCK_BORROWER,
          { tenantId, borrowerId },
          reason,
        )
        return reportOutcome(outcome, () => ({
          data: { borrower_id: borrowerId, blocked: true, reason },
          text: `Borrower ${borrowerId} is blocked.`,
        }))
      })
    },
  )
}

function addUnblock(group: Command, io: CliIo): void {
  const command = defineChange(group, 'unblock', 'Lift the block from a borrower.', [
    'borrowers unblock bor_… --tenant ten_…',
  ]).argument(...BORROWER)
  requireTenant(offerReason(command)).action(async (borrowerId: string, options: BlockOptions) => {
    await runChange(io, options, async (session) => {
      const { tenant: tenantId, reason } = options
      await assertTenant(session, tenantId)
      const request = { tenantId, borrowerId }
      const outcome = await session.changeOrPropose(UNBLOCK_BORROWER, request, reason)
      return reportOutcome(outcome, () => ({
        data: { borrower_id: borrowerId, blocked: false },
        text: `Borrower ${borrowerId} is no longer blocked.`,
      }))
    })
  })
}

function addShow(group: Command, io: CliIo): void {
  const command = defineCommand(group, 'show', 'Show a borrower, its signatures and its checks.', [
    'borrowers show bor_… --tenant ten_…',
  ]).argument(...BORROWER)
  requireTenant(command).action(async (borrowerId: string, options: TenantOptions) => {
    await runCommand(io, options, async (session) => {
      await assertTenant(session, options.tenant)
      return await reportBorrower(session, options.tenant, borrowerId)
    })
  })
}
