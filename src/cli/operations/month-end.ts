import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Refusal } from '../../core/errors.ts'
import { formatUsd } from '../../core/money.ts'
import { monthEnd } from '../../core/time.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import type { BookSource } from '../../domain/margin/book/book.ts'
import { createTermsAt } from '../../domain/margin/versions/terms-at.ts'
import { createFileHash, encodeManifest } from '../../domain/month-end/manifest.ts'
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
import { assertTenant, type Session } from '../command/session.ts'

const LONGEST_SECONDS = 900

type MonthEndOptions = CommonOptions & { tenant?: string; to?: string }

export function addMonthEnd(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'month-end <month>',
    'Write what auditors ask for at the end of a month, as of one instant, into a new folder: loan tape, trial balance, interest, deficits, sale proceeds, holds, corrections and open breaks, with a manifest of their hashes. Refuses when a file does not agree with the trial balance to the cent.',
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
      await runCommand(io, options, async (session) => {
        const folder = options.to ?? `month-end-${text}`
        const manifest = await writeMonthEnd(session, source, {
          ...{ folder, month, tenantId: options.tenant },
        })
        const files = manifest.files.map(({ name, rows, sha256 }) => [name, String(rows), sha256])
        return { data: manifest, text: formatRows(['file', 'rows', 'sha256'], files) }
      })
    })
}

type Wanted = { folder: string; month: Date; tenantId: string | undefined }

/** All or nothing: the folder gets its name once everything is in it. */
async function writeMonthEnd(session: Session, source: BookSource, wanted: Wanted) {
  const partial = `${wanted.folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await makeFolder(wanted.folder)
  await mkdir(partial)
  try {
    const manifest = await writeFiles(session, source, { ...wanted, folder: partial })
    await writeFile(join(partial, 'manifest.json'), encodeManifest(manifest))
    await rename(partial, wanted.folder)
    return manifest
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    await rm(wanted.folder, { recursive: true, force: true })
    throw error
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere) throw error
    throw new Refusal('validation_failed', `${folder} exists. Choose another folder.`)
  }
}

const NAMES = Object.keys(MONTH_END_FILES) as MonthEndFile[]

async function writeFiles(
  session: Session,
  source: BookSource,
  { folder, month, tenantId }: Wanted,
) {
  const { db, now, stack } = session
  if (tenantId !== undefined) await assertTenant(session, tenantId)
  const hashes = new Map(NAMES.map((name) => [name, createFileHash()]))
  const write = async (name: MonthEndFile, text: string) => {
    hashes.get(name)?.add(text)
    await appendFile(join(folder, name), text)
  }
  for (const name of NAMES) await write(name, headOf(name))
  const clockFor = createClockFor(stack, () => now)
  const differences: Difference[] = []
  let isClosed = true
  const tenants = await inSnapshot(db, { seconds: LONGEST_SECONDS }, async (tx) => {
    const ids =
      tenantId === undefined
        ? (await listTenants(tx))
            .filter(({ createdAt }) => createdAt < monthEnd(month))
            .map(({ id }) => id)
        : [tenantId]
    for (const id of ids) {
      const request = { tenantId: id, month, now: await clockFor(tx, id) }
      const made = await makeMonthEnd(tx, source, request, write)
      differences.push(...made.differences)
      isClosed &&= made.isClosed
    }
    return ids.length
  })
  if (differences.length > 0) throw doesNotAgree(differences)
  return {
    ...{ month: month.toISOString().slice(0, 7), stack, made_at: now.toISOString() },
    ...{ closed: isClosed, tenants },
    files: [...hashes].map(([name, hash]) => hash.end(name)),
  }
}

function doesNotAgree(differences: readonly Difference[]): Refusal {
  const named = differences.slice(0, 20).map(({ tenantId, figure, books, file }) => {
    return `${figure} of ${tenantId}: ${formatUsd(books)} in the books, ${formatUsd(file)} in the file`
  })
  const detail = `The month does not agree with the trial balance. ${named.join('; ')}.`
  return new Refusal('validation_failed', detail)
}
