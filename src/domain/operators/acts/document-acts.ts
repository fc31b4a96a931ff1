import { z } from 'zod'
import { type NewDocument, publishDocument, retireDocument } from '../../onboarding/documents.ts'
import { type GuardedAct, tenantContextOf } from './guarded-act.ts'

type Published = NewDocument & { tenantId: string }
type Version = Pick<Published, 'tenantId' | 'contractType' | 'contractVersion'>

const version = { tenantId: z.string(), contractType: z.string(), contractVersion: z.string() }

export const PUBLISH_DOCUMENT: GuardedAct<Published, { publishedAt: Date }> = {
  action: 'documents.publish',
  schema: z.strictObject({
    ...version,
    ...{ title: z.string(), downloadUrl: z.string(), contentType: z.string() },
  }),
  needsSecond: async () => false,
  async run(context, { tenantId, ...document }, reason) {
    const { tx, now } = await tenantContextOf(context, tenantId)
    await publishDocument(tx, tenantId, document, now)
    const { title, downloadUrl, contentType } = document
    const act = {
      action: 'documents.publish' as const,
      ...{ subject: subjectOf(document), tenantId, reason },
      after: { title, download_url: downloadUrl, content_type: contentType },
    }
    return { result: { publishedAt: now }, act }
  },
}

export const RETIRE_DOCUMENT: GuardedAct<Version, { retiredAt: Date }> = {
  action: 'documents.retire',
  schema: z.strictObject(version),
  needsSecond: async () => false,
  async run(context, { tenantId, ...document }, reason) {
    const { tx, now } = await tenantContextOf(context, tenantId)
    await retireDocument(tx, tenantId, document, now)
    const subject = subjectOf(document)
    const act = { action: 'documents.retire' as const, subject, tenantId, reason }
    return { result: { retiredAt: now }, act }
  },
}

function subjectOf({ contractType, contractVersion }: Omit<Version, 'tenantId'>) {
  return { kind: 'document', id: `${contractType}/${contractVersion}` }
}
