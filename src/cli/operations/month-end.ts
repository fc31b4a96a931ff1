import { existsSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Refusal } from '../../core/errors.ts'
import { formatUsd } from '../../core/money.ts'
import { DecryptionError, type Sealer } from '../../core/sealing.ts'
import { monthEnd } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import type { BookSource } from '../../domain/margin/book/book.ts'
import { openReceiptKey } from '../../domain/margin/receipts/receipt-key.ts'
import { createTermsAt } from '../../domain/margin/versions/terms-at.ts'
import {
  createFileHash,
  encodeManifest,
  type Manifest,
  type ManifestKey,
  signManifest,
} from '../../domain/month-end/manifest.ts'
import {
  type Difference,
  headOf,
  MONTH_END_FILES,
  type MonthEndFile,
  makeMonthEnd,
} from '../../domain/month-end/month-end.ts'
import { createClockFor } from '../../domain/tenants/tenant-clock.ts'
import { listTenants } from '../../domain/tenants/tenants.ts'
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
        const key = await requireKey(session, sealer)
        const folder = options.to ?? `month-end-${text}`
        const manifest = await writeMonthEnd(session, source, {
          ...{ folder, month, tenantId: options.tenant, key },
        })
        const files = manifest.files.map(({ name, rows, sha256 }) => [name, String(rows), sha256])
        return { data: manifest, text: formatRows(['file', 'rows', 'sha256'], files) }
      })
    })
}

async function requireKey({ db }: Session, sealer: Sealer): Promise<ManifestKey> {
  const key = await openReceiptKey(db, sealer).catch((error: unknown) => {
    if (!(error instanceof DecryptionError)) throw error
    throw new Refusal('unavailable', `The manifest cannot be signed: ${error.message}.`)
  })
  if (key) return key
  throw new Refusal('unavailable', 'There is no receipt key yet: migrate with ENCRYPTION_KEYS.')
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
    const bytes = encodeManifest(manifest)
    await writeFile(join(partial, 'manifest.json'), bytes)
    await writeFile(join(partial, 'manifest.sig.json'), signManifest(bytes, key))
    await rename(partial, folder)
    return manifest
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

const NAMES = Object.keys(MONTH_END_FILES) as MonthEndFile[]

async function writeFiles(
  { db, now, stack }: Session,
  source: BookSource,
  { folder, month, tenantId }: Wanted,
): Promise<Manifest> {
  const clockFor = createClockFor(stack, () => now)
  // It begins again where the snapshot has to.
  return await inSnapshot(db, { seconds: LONGEST_SECONDS }, async (tx) => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const hashes = new Map(NAMES.map((name) => [name, createFileHash()]))
    const write = async (name: MonthEndFile, text: string) => {
      hashes.get(name)?.add(text)
      await appendFile(join(folder, name), text)
    }
    for (const name of NAMES) await write(name, headOf(name))
    const differences: Difference[] = []
    const ids = tenantId === undefined ? await listOpenedBefore(tx, monthEnd(month)) : [tenantId]
    let isClosed = true
    for (const id of ids) {
      const request = { tenantId: id, month, now: await clockFor(tx, id) }
      const made = await makeMonthEnd(tx, source, request, write)
      differences.push(...made.differences)
      isClosed &&= made.isClosed
    }
    if (differences.length > 0) throw doesNotAgree(differences)
    return {
      ...{ month: month.toISOString().slice(0, 7), stack, made_at: now.toISOString() },
      ...{ closed: isClosed, tenants: ids.length },
      files: [...hashes].map(([name, hash]) => hash.end(name)),
    }
  })
}

async function listOpenedBefore(tx: Tx, end: Date): Promise<string[]> {
  const tenants = await listTenants(tx)
  return tenants.filter(({ createdAt }) => createdAt < end).map(({ id }) => id)
}

function doesNotAgree(differences: readonly Difference[]): Refusal {
  const named = differences.slice(0, 20).map(({ tenantId, figure, books, file }) => {
    return `${figure} of ${tenantId}: ${formatUsd(books)} in the books, ${formatUsd(file)} in the file`
  })
  const detail = `The month does not agree with the trial balance. ${named.join('; ')}.`
  return new Refusal('validation_failed', detail)
}
