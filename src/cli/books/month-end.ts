import { existsSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../core/errors.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import type { Manifest, ManifestKey } from '../../domain/month-end/manifest.ts'
import { makePack, openManifestKey, signedManifest } from '../../domain/month-end/pack.ts'
import { type CliCommand, read } from '../command/commands.ts'
import { readId, readMonth } from '../command/options.ts'
import { formatItems } from '../command/output.ts'
import { optional, required } from '../command/parameters.ts'
import { requireSealer, type Session } from '../command/session.ts'

const LONGEST_SECONDS = 900

export const MONTH_END_COMMANDS: CliCommand[] = [
  read({
    name: 'books month-end',
    about:
      'Write what auditors ask for at the end of a month, as of one instant, into a new folder: loan tape, trial balance, interest, deficits, sale proceeds, holds, corrections and open breaks, with a manifest of their hashes that the receipt key signs. Refuses when a file does not agree with the trial balance to the cent.',
    examples: ['books month-end 2026-10', 'books month-end 2026-10 --tenant ten_… --to ./october'],
    takes: {
      month: required('<month>', 'such as 2026-10', readMonth),
      tenantId: optional('--tenant <id>', 'one tenant, ten_…; default all', readId('ten')),
      to: optional('--to <folder>', 'default month-end-<month>; must not exist'),
    },
    async read(session, { month, tenantId, to }) {
      const key = await openManifestKey(session.db, requireSealer(session.config))
      const folder = to ?? `month-end-${month.toISOString().slice(0, 7)}`
      const manifest = await writeMonthEnd(session, { folder, month, tenantId, key })
      return { data: manifest, shown: formatItems(manifest.files, ['name', 'rows', 'sha256']) }
    },
  }),
]

type Wanted = { folder: string; month: Date; tenantId: string | undefined }

/** All or nothing: the folder gets its name once everything is in it. */
async function writeMonthEnd(
  session: Session,
  { folder, key, ...wanted }: Wanted & { key: ManifestKey },
) {
  if (existsSync(folder)) {
    throw new Refusal('validation_failed', `${folder} exists. Choose another folder.`)
  }
  const partial = `${folder}.partial`
  try {
    const manifest = await writeFiles(session, { ...wanted, folder: partial })
    for (const { name, text } of signedManifest(manifest, key)) {
      await writeFile(join(partial, name), text)
    }
    await rename(partial, folder)
    return manifest
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function writeFiles(
  session: Session,
  { folder, month, tenantId }: Wanted,
): Promise<Manifest> {
  const { db, now } = session
  // It begins again where the snapshot has to.
  return await inSnapshot(db, { seconds: LONGEST_SECONDS }, async (tx) => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    return await makePack(tx, session, { month, tenantId, now }, (name, text) =>
      appendFile(join(folder, name), text),
    )
  })
}
