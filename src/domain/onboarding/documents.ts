import { Refusal } from '../../core/errors.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import {
  insertDocument,
  lockDocuments,
  selectDocuments,
  updateDocumentRetired,
  updateDocumentSuperseded,
} from './document-queries.ts'

export type ContractDocument = {
  contractType: string
  contractVersion: string
  title: string
  downloadUrl: string
  contentType: string
  publishedAt: Date
  supersededAt: Date | undefined
  retiredAt: Date | undefined
}

export type NewDocument = Pick<
  ContractDocument,
  'contractType' | 'contractVersion' | 'title' | 'downloadUrl' | 'contentType'
>

const CONTRACT_TYPE = /^[a-z][a-z0-9_]{0,63}$/
export const CONTRACT_VERSION = /^\d{4}-(0[1-9]|1[0-2])$/
const MEDIA_TYPE = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/i

/** The version before may still be signed for a while. Refuses `validation_failed`. */
export async function publishDocument(
  tx: Tx,
  tenantId: string,
  document: NewDocument,
  now: Date,
): Promise<void> {
  const fault = findFault(document)
  if (fault) throw new Refusal('validation_failed', fault)
  const existing = (await lockDocuments(tx, tenantId)).filter(
    (row) => row.contract_type === document.contractType,
  )
  const newest = existing
    .map((row) => row.contract_version)
    .sort()
    .at(-1)
  if (newest !== undefined && newest >= document.contractVersion) {
    throw new Refusal(
      'validation_failed',
      `Version ${newest} of ${document.contractType} exists; a new version must be later.`,
    )
  }
  await updateDocumentSuperseded(tx, tenantId, document.contractType, now)
  await insertDocument(tx, {
    tenant_id: tenantId,
    contract_type: document.contractType,
    contract_version: document.contractVersion,
    title: document.title,
    download_url: document.downloadUrl,
    content_type: document.contentType,
    published_at: now,
  })
}

function findFault(document: NewDocument): string | undefined {
  if (!CONTRACT_TYPE.test(document.contractType)) {
    return 'The contract type must be lower-case words joined by underscores, at most 64 characters.'
  }
  if (!CONTRACT_VERSION.test(document.contractVersion))
    return 'The version must be a month, as 2026-11.'
  if (document.title.trim() === '' || document.title.length > 200) {
    return 'The title must have 1 to 200 characters.'
  }
  if (!MEDIA_TYPE.test(document.contentType)) {
    return 'The content type must be a media type, as application/pdf.'
  }
  const isHttps = document.downloadUrl.startsWith('https://') && URL.canParse(document.downloadUrl)
  return isHttps ? undefined : 'The download address must be an https:// URL.'
}

export async function listAllDocuments(db: Db, tenantId: string): Promise<ContractDocument[]> {
  return (await selectDocuments(db, tenantId)).map(toDocument)
}

export async function listRequiredDocuments(db: Db, tenantId: string): Promise<ContractDocument[]> {
  return (await listAllDocuments(db, tenantId)).filter(isRequired)
}

/** In this version or an earlier one. */
export function isRequired(document: ContractDocument): boolean {
  return document.supersededAt === undefined && document.retiredAt === undefined
}

/** Counts while the version is current, and for `graceDays` after; never once it is retired. */
export function acceptsSignature(
  document: ContractDocument,
  recordedAt: Date,
  graceDays: number,
): boolean {
  if (document.retiredAt !== undefined) return false
  const { supersededAt } = document
  return supersededAt === undefined || recordedAt <= addMs(supersededAt, graceDays * DAY_MS)
}

/** Refuses `not_found`. */
export async function retireDocument(
  tx: Tx,
  tenantId: string,
  version: Pick<ContractDocument, 'contractType' | 'contractVersion'>,
  now: Date,
): Promise<void> {
  if (!(await updateDocumentRetired(tx, tenantId, version, now))) {
    const { contractType, contractVersion } = version
    throw new Refusal(
      'not_found',
      `Tenant ${tenantId} has no version ${contractVersion} of ${contractType} in use.`,
    )
  }
}

function toDocument(row: Awaited<ReturnType<typeof selectDocuments>>[number]): ContractDocument {
  return {
    contractType: row.contract_type,
    contractVersion: row.contract_version,
    title: row.title,
    downloadUrl: row.download_url,
    contentType: row.content_type,
    publishedAt: row.published_at,
    supersededAt: row.superseded_at ?? undefined,
    retiredAt: row.retired_at ?? undefined,
  }
}
