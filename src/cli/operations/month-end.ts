import { existsSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Refusal } from '../../core/errors.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import type { BookSource } from '../../domain/margin/book/book.ts'
import { createTermsAt } from '../../domain/margin/versions/terms-at.ts'
import type { Manifest, ManifestKey } from '../../domain/month-end/manifest.ts'
import { makePack, openManifestKey, signedManifest } from '../../domain/month-end/pack.ts'
import type { CliIo } from '../command/cli-io.ts'
import { type CommonOptions, defineCommand, runCommand } from '../command/define-command.ts'
import { readId, readMonth } from '../command/options.ts'
import { formatRows } from '../command/output.ts'
import { assertTenant, requireSealer, type Session } from '../command/session.ts'

const LONGEST_SECONDS = 900

type MonthEndOptions = CommonOptions & { tenant?: string; to?: string }

export function addMonthEnd(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'month-end <month>',
    'Write what auditors ask for at the end of a month, as of one instant, into a new folder: loan tape, trial balance, interest, deficits, sale proceeds, holds, corrections and open breaks, with a manifest of their hashes that the receipt key signs. Refuses when a file does not agree with the trial balance to the cent.',
    ['books month-end 2026-10', 'books month-end 2026-10 --tenant ten_… --to ./october'],
  )
    .option('--tenant <id>', 'one tenant, ten_…; default all', readId('ten'))
    .option('--to <folder>', 'default month-end-<month>; must not exist')
    .action(async (text: string, options: MonthEndOptions) => {
      const month = readMonth(text)
      const config = io.loadConfig()
      const own = { policy: DEFAULT_POLICY, marginPolicy: config.marginPolicy }
      const source = {
        ...{ prices: io.choosePrices(config), stack: config.stack },
        termsAt: createTermsAt(own, io.clock),
      }
      const sealer = requireSealer(config)
      await runCommand(io, options, async (session) => {
        const key = await openManifestKey(session.db, sealer)
        const folder = options.to ?? `month-end-${text}`
        const manifest = await writeMonthEnd(session, source, {
          ...{ folder, month, tenantId: options.tenant, key },
        })
        const files = manifest.files.map(({ name, rows, sha256 }) => [name, String(rows), sha256])
        return { data: manifest, text: formatRows(['file', 'rows', 'sha256'], files) }
      })
    })
}

type Wanted = { folder: string; month: Date; tenantId: string | undefined }

/** All or nothing: the folder gets its name once everything is in it. */
async function writeMonthEnd(
  session: Session,
  source: BookSource,
  { folder, key, ...wanted }: Wanted & { key: ManifestKey },
) {
  if (wanted.tenantId !== undefined) await assertTenant(session, wanted.tenantId)
  if (existsSync(folder)) {
    throw new Refusal('validation_failed', `${folder} exists. Choose another folder.`)
  }
  const partial = `${folder}.partial`
  try {
    const manifest = await writeFiles(session, source, { ...wanted, folder: partial })
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
  { db, now }: Session,
  source: BookSource,
  { folder, month, tenantId }: Wanted,
): Promise<Manifest> {
  // It begins again where the snapshot has to.
  return await inSnapshot(db, { seconds: LONGEST_SECONDS }, async (tx) => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    return await makePack(tx, source, { month, tenantId, now }, (name, text) =>
      appendFile(join(folder, name), text),
    )
  })
}
