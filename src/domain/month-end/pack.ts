import { Refusal } from '../../core/errors.ts'
import { formatUsd } from '../../core/money.ts'
import { DecryptionError, type Sealer } from '../../core/sealing.ts'
import { monthEnd } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import type { BookSource } from '../margin/book/book.ts'
import { openReceiptKey } from '../margin/receipts/receipt-key.ts'
import { createClockFor } from '../tenants/tenant-clock.ts'
import { listTenants } from '../tenants/tenants.ts'
import {
  createFileHash,
  encodeManifest,
  type Manifest,
  type ManifestKey,
  signManifest,
} from './manifest.ts'
import {
  type Difference,
  headOf,
  MONTH_END_FILES,
  type MonthEndFile,
  makeMonthEnd,
  type WriteRows,
} from './month-end.ts'

/** `tenantId` undefined: all tenants that existed before the month's end. `now` is real time. */
export type PackRequest = { month: Date; tenantId: string | undefined; now: Date }

const NAMES = Object.keys(MONTH_END_FILES) as MonthEndFile[]

/** Writes the files of a month, all of one snapshot. Refuses `validation_failed` for a month that has not
 * ended or is not booked, and where a file does not agree with the trial balance to the cent. */
export async function makePack(
  tx: Tx,
  source: BookSource,
  { month, tenantId, now }: PackRequest,
  write: WriteRows,
): Promise<Manifest> {
  const clockFor = createClockFor(source.stack, () => now)
  const hashes = new Map(NAMES.map((name) => [name, createFileHash()]))
  const writeHashed: WriteRows = async (name, text) => {
    hashes.get(name)?.add(text)
    await write(name, text)
  }
  for (const name of NAMES) await writeHashed(name, headOf(name))
  const differences: Difference[] = []
  const ids = tenantId === undefined ? await listOpenedBefore(tx, monthEnd(month)) : [tenantId]
  let isClosed = true
  for (const id of ids) {
    const request = { tenantId: id, month, now: await clockFor(tx, id) }
    const made = await makeMonthEnd(tx, source, request, writeHashed)
    differences.push(...made.differences)
    isClosed &&= made.isClosed
  }
  if (differences.length > 0) throw doesNotAgree(differences)
  return {
    ...{ month: month.toISOString().slice(0, 7), stack: source.stack },
    ...{ made_at: now.toISOString(), closed: isClosed, tenants: ids.length },
    files: [...hashes].map(([name, hash]) => hash.end(name)),
  }
}

export type NamedText = { name: string; text: string }

/** Files that are answered whole: one that breaks off would look complete. */
export const MOST_BYTES = 32 * 2 ** 20

/** Collects files in memory. Refuses `validation_failed` beyond `MOST_BYTES`. */
export function createFiles() {
  const files = new Map<string, string[]>()
  let bytes = 0
  return {
    write(name: string, text: string) {
      bytes += Buffer.byteLength(text)
      if (bytes > MOST_BYTES) {
        const detail = `It has more than ${MOST_BYTES / 2 ** 20} MB: choose one tenant, or use the command line.`
        throw new Refusal('validation_failed', detail)
      }
      const parts = files.get(name) ?? []
      files.set(name, parts)
      parts.push(text)
    },
    list: (): NamedText[] => [...files].map(([name, parts]) => ({ name, text: parts.join('') })),
  }
}

/** The files, the manifest and its signature, of one run. Refuses as `makePack`, and beyond `MOST_BYTES`.
 * Each statement is cancelled after `seconds`. */
export async function readPack(
  db: Db,
  source: BookSource,
  request: PackRequest & { key: ManifestKey; seconds: number },
): Promise<{ manifest: Manifest; files: NamedText[] }> {
  return await inSnapshot(db, { seconds: request.seconds }, async (tx) => {
    const files = createFiles()
    const manifest = await makePack(tx, source, request, async (name, text) =>
      files.write(name, text),
    )
    for (const { name, text } of signedManifest(manifest, request.key)) files.write(name, text)
    return { manifest, files: files.list() }
  })
}

export function signedManifest(manifest: Manifest, key: ManifestKey): NamedText[] {
  const bytes = encodeManifest(manifest)
  return [
    { name: 'manifest.json', text: bytes.toString() },
    { name: 'manifest.sig.json', text: signManifest(bytes, key) },
  ]
}

/** Refuses `unavailable` without a key that can be opened. */
export async function openManifestKey(db: Db, sealer: Sealer): Promise<ManifestKey> {
  const key = await openReceiptKey(db, sealer).catch((error: unknown) => {
    if (!(error instanceof DecryptionError)) throw error
    throw new Refusal('unavailable', `The manifest cannot be signed: ${error.message}.`)
  })
  if (key) return key
  throw new Refusal('unavailable', 'There is no receipt key yet: migrate with ENCRYPTION_KEYS.')
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
