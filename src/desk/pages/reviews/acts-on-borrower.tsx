import { Button } from '@mantine/core'
import { useState } from 'react'
import { live, queryClient } from '../../../pages/data/query-client.ts'
import { saveFile } from '../../../pages/data/save-file.ts'
import { useCan } from '../../../pages/sign-in/session.ts'
import { call } from '../../data/operator-api.ts'
import { type Outcome, ReasonDialog } from '../../parts/reason-dialog.tsx'
import type { BorrowerFile, Revealed } from './borrower-page.tsx'

type Act = 'reveal' | 'approve' | 'reject' | 'block' | 'unblock' | 'export' | 'erase'

const DIALOGS: Record<Act, { title: string; act: string; about: string }> = {
  reveal: {
    title: 'Show who signed?',
    act: 'Show',
    about:
      'Names, addresses and the notes of waiting checks are shown on this page until you leave it. That you saw them is recorded, and what you saw is not.',
  },
  approve: {
    title: 'Approve the checks?',
    act: 'Approve',
    about:
      'Every check of the borrower that waits or has failed passes. To override a failed one, another operator confirms where acts need two.',
  },
  reject: {
    title: 'Reject the checks?',
    act: 'Reject',
    about:
      'Every check of the borrower that waits fails, and the borrower does not become eligible.',
  },
  block: {
    title: 'Block the borrower?',
    act: 'Block',
    about:
      'They get no facility and no draw until the block is lifted. What they owe stays as it is.',
  },
  unblock: {
    title: 'Lift the block?',
    act: 'Lift',
    about: 'They may borrow again. Where acts need two operators, another one confirms it.',
  },
  export: {
    title: 'Export what is held?',
    act: 'Export',
    about:
      'You save a page for the person, in Markdown, without checks against money laundering, reviews and holds. That you saved it is recorded.',
  },
  erase: {
    title: 'Erase the borrower for good?',
    act: 'Erase',
    about:
      'Names, addresses and what was written about them cannot be read any more, by anyone. It is refused while the law has them kept. Another operator confirms it.',
  },
}

type ActsProps = { file: BorrowerFile; onRevealed: (revealed: Revealed) => void }

export function ActsOnBorrower({ file, onRevealed }: ActsProps) {
  const [asked, setAsked] = useState<Act>()
  const can: Record<Act, boolean> = {
    reveal: useCan('borrowers.reveal'),
    approve: useCan('borrowers.approve'),
    reject: useCan('borrowers.reject'),
    block: useCan('borrowers.block'),
    unblock: useCan('borrowers.unblock'),
    export: useCan('borrowers.export'),
    erase: useCan('borrowers.erase'),
  }
  const statuses = file.checks.map(({ status }) => status)
  const waits = statuses.includes('review')
  const offered: readonly (readonly [Act, boolean, string])[] = [
    ['reveal', file.signatures.length > 0, 'Show who signed'],
    ['approve', waits || statuses.includes('failed'), waits ? 'Approve' : 'Override'],
    ['reject', waits, 'Reject'],
    ['block', file.block === null, 'Block'],
    ['unblock', file.block !== null, 'Lift the block'],
    ['export', true, 'Export'],
    ['erase', true, 'Erase'],
  ]
  const run = async (act: Act, reason: string): Promise<Outcome | undefined> => {
    const path = { tenant_id: file.tenant_id, borrower_id: file.borrower_id }
    if (act === 'reveal') {
      onRevealed(await call('revealReviews', { path, body: { reason } }))
      await queryClient.invalidateQueries({ queryKey: live('actions') })
      return undefined
    }
    if (act === 'export') {
      const { page } = await call('exportBorrower', { path, body: { reason } })
      saveFile(`${file.borrower_id}.md`, page, 'text/markdown')
      await queryClient.invalidateQueries({ queryKey: live('actions') })
      return undefined
    }
    const outcome = await call(`${act}Borrower`, { path, body: { reason } })
    await queryClient.invalidateQueries({ queryKey: live() })
    return outcome
  }
  const dialog = asked && DIALOGS[asked]
  return (
    <>
      {offered.map(
        ([act, isPossible, label]) =>
          can[act] &&
          isPossible && (
            <Button
              key={act}
              size="xs"
              variant={act === 'approve' ? 'filled' : 'default'}
              onClick={() => setAsked(act)}
            >
              {label}
            </Button>
          ),
      )}
      <ReasonDialog
        title={dialog?.title ?? ''}
        act={dialog?.act ?? ''}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        run={async (reason) => (asked ? await run(asked, reason) : undefined)}
      >
        {dialog?.about}
      </ReasonDialog>
    </>
  )
}
