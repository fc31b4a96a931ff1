import type { Command } from 'commander'
import { FaultReported } from '../../command-line/program.ts'
import type { Report } from '../../command-line/text.ts'
import { Refusal } from '../../core/errors.ts'
import { ERASE_BORROWER, replayErasure } from '../../domain/operators/acts/erasure-acts.ts'
import { exportBorrower } from '../../domain/operators/export-borrower.ts'
import { renderPersonPage } from '../../domain/personal/person-page.ts'
import { readErased } from '../../process/erased-file.ts'
import {
  type ChangeOptions,
  type ChangeSession,
  defineChange,
  offerReason,
  reportOutcome,
  runChange,
  withChanges,
} from '../command/change.ts'
import type { CliIo } from '../command/cli-io.ts'
import { printReport } from '../command/define-command.ts'
import { offerTenant, readId, requireTenant } from '../command/options.ts'
import { assertTenant } from '../command/session.ts'

const BORROWER = ['the borrower, bor_…', readId('bor')] as const

type OfTenant = ChangeOptions & { tenant: string }

export function addExport(group: Command, io: CliIo): void {
  const about =
    'Print what is stored about a borrower, and record that it was printed: a page for the person in Markdown, without checks against money laundering, reviews and holds. With --all the lender’s own copy as JSON, with all of it: never hand it out.'
  const examples = ['borrowers export bor_… --tenant ten_… > you.md']
  const command = offerReason(defineChange(group, 'export', about, examples))
    .argument('<borrower_id>', ...BORROWER)
    .option('--all', 'all of it, as JSON, for the lender alone')
  requireTenant(command).action(async (borrowerId: string, options: OfTenant & { all?: true }) => {
    const rows = await withChanges(io, options, async (session) => {
      await assertTenant(session, options.tenant)
      const given = { all: options.all === true, reason: options.reason }
      const borrower = { tenantId: options.tenant, borrowerId }
      return await session.change(async (tx, { acting }) => ({
        result: await exportBorrower(tx, acting, borrower, given),
        act: undefined,
      }))
    })
    const page = () => renderPersonPage(rows, io.clock())
    io.writeOut(options.all ? `${JSON.stringify(rows, null, 2)}\n` : page())
  })
}

export function addErase(group: Command, io: CliIo): void {
  const about =
    'Erase the personal data of a borrower for good: by two operators, and refused while the law has it kept. With --replay apply the erasures of ERASED_FILE to a database that was restored from an older backup; it may be repeated, and ends with code 1 if one had to wait.'
  const command = offerReason(
    defineChange(group, 'erase', about, [
      'borrowers erase bor_… --tenant ten_… --reason "asked by letter" --actor ada@lender.example',
      'borrowers erase --replay',
    ]),
  )
    .argument('[borrower_id]', ...BORROWER)
    .option('--replay', 'apply the erasures of ERASED_FILE again')
  offerTenant(command).action(
    async (
      borrowerId: string | undefined,
      options: ChangeOptions & { tenant?: string; replay?: true },
    ) => {
      if (options.replay) return await replayAll(io, borrowerId, options)
      const { tenant: tenantId, reason } = options
      if (borrowerId === undefined || tenantId === undefined) {
        throw new Refusal('validation_failed', 'Name the borrower, and its tenant with --tenant.')
      }
      await runChange(io, options, async (session) => {
        await assertTenant(session, tenantId)
        const request = { tenantId, borrowerId }
        const outcome = await session.changeOrPropose(ERASE_BORROWER, request, reason)
        return reportOutcome(outcome, () => ({
          data: { borrower_id: borrowerId, erased: true },
          text: `Borrower ${borrowerId} is erased.`,
        }))
      })
    },
  )
}

async function replayAll(io: CliIo, borrowerId: string | undefined, options: ChangeOptions) {
  if (borrowerId !== undefined) {
    throw new Refusal('validation_failed', '--replay applies the whole file: name no borrower.')
  }
  const { erasedFile } = io.loadConfig()
  if (erasedFile === undefined) {
    throw new Refusal('validation_failed', 'ERASED_FILE is not set: name the file of the API.')
  }
  const { erased, unreadable } = await readErased(erasedFile).catch((error: unknown) => {
    throw new Refusal('unavailable', `The file ${erasedFile} cannot be read.`, { cause: error })
  })
  const done = await withChanges(io, options, (session) => replayEach(session, erased))
  printReport(io, options, reportReplay(done, unreadable.length))
  if (done.waiting.length > 0 || unreadable.length > 0) throw new FaultReported()
}

type Replayed = { erased: number; known: number; absent: number; waiting: string[] }

async function replayEach(
  session: ChangeSession,
  lines: Awaited<ReturnType<typeof readErased>>['erased'],
): Promise<Replayed> {
  const done: Replayed = { erased: 0, known: 0, absent: 0, waiting: [] }
  for (const { tenant_id: tenantId, borrower_id: borrowerId } of lines) {
    const outcome = await session.change(async (_tx, desk) => {
      return await replayErasure(desk, { tenantId, borrowerId })
    })
    if (typeof outcome === 'string') done[outcome] += 1
    else done.waiting.push(`${borrowerId} of ${tenantId}: ${outcome.waits}`)
  }
  return done
}

function reportReplay({ erased, known, absent, waiting }: Replayed, unreadable: number): Report {
  return {
    data: { erased, known, absent, waiting, unreadable },
    text: [
      `Erased now: ${erased}. Erased before: ${known}. Not in this database: ${absent}.`,
      ...waiting.map((text) => `Waits: ${text}`),
      ...(unreadable > 0 ? [`Lines that cannot be read: ${unreadable}.`] : []),
    ].join('\n'),
  }
}
