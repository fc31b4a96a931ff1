import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import type { DeskReading } from '../../../domain/margin/desk/open-warnings.ts'
import type { CliIo } from '../../command/cli-io.ts'
import { withSession } from '../../command/session.ts'
import { marketSource, readTermsAt } from '../stress.ts'

export const MOST_LISTED = 1_000

/** Of one snapshot, at the stack's own prices and the terms in force. */
export async function readDesk<T>(
  io: CliIo,
  read: (reading: DeskReading) => Promise<T>,
): Promise<T> {
  const { prices, clockFor } = marketSource(io)
  const termsAt = readTermsAt(io)
  return await withSession(io, ({ db }) =>
    inSnapshot(db, {}, (tx) => read({ db: tx, clockFor, termsAt, prices })),
  )
}
