import { Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/database.ts'
import { keyOf, type PersonKey } from '../person.ts'
import type { Session } from '../sign-in/sessions.ts'
import { type Replacement, selectReplacements } from './replacement-queries.ts'

/** Who came by a link that replaces what its person has, or gave a passkey that came by it, does nothing
 * until then that would outlive a refusal. A link of the system's user waits for nothing. */
export function waitOf(
  replacements: readonly Replacement[],
  heldSince: Date | undefined,
): Date | undefined {
  if (!heldSince) return undefined
  const waiting = replacements.filter((link) => !link.is_trusted && link.used_at <= heldSince)
  return latestOf(waiting)
}

/** Refuses `link_waiting`, with the instant from which on it may. */
export async function assertNotWaiting(db: Db, session: Session, now: Date): Promise<void> {
  const until = waitOf(await selectReplacements(db, keyOf(session), now), session.heldSince)
  if (!until) return
  const detail = `A new link replaces what you signed in with before, unless it is refused. Until ${until.toISOString()} nothing that outlives your session can be done by it.`
  throw new Refusal('link_waiting', detail)
}

/** When the last of the person's new links takes effect, by whomever they were made. */
export async function findReplacement(
  db: Db,
  key: PersonKey,
  now: Date,
): Promise<Date | undefined> {
  return latestOf(await selectReplacements(db, key, now))
}

function latestOf(links: readonly Replacement[]): Date | undefined {
  const [latest] = links.map((link) => link.replaces_at).sort((a, b) => b.getTime() - a.getTime())
  return latest
}
