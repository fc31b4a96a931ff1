import { Refusal } from '../../core/errors.ts'
import type { CliIo } from './cli-io.ts'

/** Asks before what cannot be undone. Refuses without a yes, and if no person is there to ask. */
export async function requireYes(
  io: CliIo,
  { yes }: { yes: true | undefined },
  effect: string,
): Promise<void> {
  if (yes) return
  if (io.ask === undefined) {
    throw new Refusal('validation_failed', `${effect} Nobody can be asked here: give --yes.`)
  }
  const answer = await io.ask(`${effect} Type yes to do it: `)
  if (answer.trim() !== 'yes') throw new Refusal('validation_failed', 'Nothing was changed.')
}
