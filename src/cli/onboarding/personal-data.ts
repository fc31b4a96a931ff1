import { Refusal } from '../../core/errors.ts'
import { ERASE_BORROWER, replayErasure } from '../../domain/operators/acts/erasure-acts.ts'
import { exportBorrower } from '../../domain/operators/export-borrower.ts'
import { renderPersonPage } from '../../domain/personal/person-page.ts'
import { readErased } from '../../process/erased-file.ts'
import type { ChangeSession } from '../command/change.ts'
import { type CliCommand, change } from '../command/commands.ts'
import { BORROWER, MAY_REASON, MAYBE_BORROWER, OF_TENANT, TENANT } from '../command/members.ts'
import type { Answer } from '../command/output.ts'
import { flag } from '../command/parameters.ts'

export const PERSONAL_DATA_COMMANDS: CliCommand[] = [
  change({
    name: 'borrowers export',
    about:
      'Print what is stored about a borrower, and record that it was printed: a page for the person in Markdown, without checks against money laundering, reviews and holds. With --all the lender’s own copy as JSON, with all of it: never hand it out.',
    examples: ['borrowers export bor_… --tenant ten_… > you.md'],
    takes: {
      reason: MAY_REASON,
      borrowerId: BORROWER,
      all: flag('--all', 'all of it, as JSON, for the lender alone'),
      tenantId: TENANT,
    },
    async change({ io, makeChange, reason }, { tenantId, borrowerId, all = false }) {
      const rows = await makeChange(async (tx, { acting }) => ({
        result: await exportBorrower(tx, acting, { tenantId, borrowerId }, { all, reason }),
        act: undefined,
      }))
      io.writeOut(all ? `${JSON.stringify(rows, null, 2)}\n` : renderPersonPage(rows, io.clock()))
      return undefined
    },
  }),
  change({
    name: 'borrowers erase',
    about:
      'Erase the personal data of a borrower for good: by two operators, and refused while the law has it kept. With --replay apply the erasures of ERASED_FILE to a database that was restored from an older backup; it may be repeated, and ends with code 1 if one had to wait.',
    examples: [
      'borrowers erase bor_… --tenant ten_… --reason "asked by letter" --actor ada@lender.example',
      'borrowers erase --replay',
    ],
    takes: {
      reason: MAY_REASON,
      borrowerId: MAYBE_BORROWER,
      replay: flag('--replay', 'apply the erasures of ERASED_FILE again'),
      tenantId: OF_TENANT,
    },
    async change(session, { tenantId, borrowerId, replay }) {
      if (replay) return await replayAll(session, borrowerId)
      if (borrowerId === undefined || tenantId === undefined) {
        throw refuse('Name the borrower, and its tenant with --tenant.')
      }
      return await session.actOrPropose(ERASE_BORROWER, { tenantId, borrowerId }, () => ({
        data: { borrower_id: borrowerId, erased: true },
        shown: `Borrower ${borrowerId} is erased.`,
      }))
    },
  }),
]

const refuse = (detail: string) => new Refusal('validation_failed', detail)

async function replayAll(session: ChangeSession, borrowerId: string | undefined): Promise<Answer> {
  if (borrowerId !== undefined) {
    throw refuse('--replay applies the whole file: name no borrower.')
  }
  const { erasedFile } = session.config
  if (erasedFile === undefined) throw refuse('ERASED_FILE is not set: name the file of the API.')
  const { erased: lines, unreadable } = await readErased(erasedFile).catch((error: unknown) => {
    throw new Refusal('unavailable', `The file ${erasedFile} cannot be read.`, { cause: error })
  })
  const done = { erased: 0, known: 0, absent: 0, waiting: [] as string[] }
  for (const { tenant_id: tenantId, borrower_id: borrower } of lines) {
    const outcome = await session.makeChange(async (_tx, desk) =>
      replayErasure(desk, { tenantId, borrowerId: borrower }),
    )
    if (typeof outcome === 'string') done[outcome] += 1
    else done.waiting.push(`${borrower} of ${tenantId}: ${outcome.waits}`)
  }
  return {
    data: { ...done, unreadable: unreadable.length },
    shown: [
      `Erased now: ${done.erased}. Erased before: ${done.known}. Not in this database: ${done.absent}.`,
      ...done.waiting.map((text) => `Waits: ${text}`),
      ...(unreadable.length > 0 ? [`Lines that cannot be read: ${unreadable.length}.`] : []),
    ].join('\n'),
    isFault: done.waiting.length > 0 || unreadable.length > 0,
  }
}
