import { foldReference } from '../../../core/external-reference.ts'
import { isId, parseId } from '../../../core/ids.ts'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { findByExternalId } from '../../review-queue/find-by-external-id.ts'
import { selectTenant } from '../../tenants/queries.ts'
import { selectApproval } from '../approvals/approval-queries.ts'
import {
  isSubjectOfActs,
  PLACES,
  type PlacedRow,
  selectActsOfRequest,
  selectByReference,
  selectPlaced,
  selectTenantsNamed,
  selectTransfer,
} from './find-queries.ts'

export type Found = {
  kind: FoundKind
  id: string
  tenantId: string | undefined
  /** In words, such as a state. */
  about: string | undefined
  /** Path of the desk's page that shows it. */
  page: string
}

/** Each kind stands under the prefix of its id. */
const KINDS = {
  ...({ bor: 'borrower', sig: 'signature', chk: 'check', fac: 'facility', drw: 'draw' } as const),
  ...({ rep: 'repayment', rfd: 'refund', cor: 'correction', pau: 'pause', key: 'key' } as const),
  ...({ per: 'person', whk: 'webhook', evt: 'event', req: 'request' } as const),
} as const satisfies Record<keyof typeof PLACES, string>

export const FOUND_KINDS = [
  ...Object.values(KINDS),
  ...(['tenant', 'transfer', 'approval', 'act', 'acts'] as const),
] as const

type FoundKind = (typeof FOUND_KINDS)[number]

/** The most tenants of a name in an answer. */
const MOST_NAMED = 20

/** A request of an operator has done all its acts by then. */
const LONGEST_REQUEST_MS = 5 * MINUTE_MS

/** Finds what a text names: an id of any kind, a tenant's own id, a tenant by its name, or a transfer
 * by the provider's id or the tenant's reference. */
export async function findAnything(db: Db, text: string): Promise<Found[]> {
  const byId = await findById(db, text)
  if (byId.length > 0) return byId
  const [external, named, transfer] = [
    await findByExternalId(db, { externalId: text, tenantId: undefined }),
    await selectTenantsNamed(db, text, MOST_NAMED),
    await findTransfer(db, text),
  ]
  return [
    ...named.map(({ tenant_id: id, name }) => tenantOf(id, name)),
    ...external.map(({ kind, tenantId, id }) => ({
      ...{ kind, id, tenantId, about: text },
      page: kind === 'borrower' ? `/reviews/${tenantId}/${id}` : `/margin/${tenantId}/${id}`,
    })),
    ...transfer,
  ]
}

function tenantOf(id: string, name: string): Found {
  return { kind: 'tenant', id, tenantId: id, about: name, page: `/administration/tenants/${id}` }
}

async function findById(db: Db, id: string): Promise<Found[]> {
  const prefix = id.slice(0, 3)
  const placed = await findPlaced(db, id)
  if (placed) return [placed]
  if (prefix === 'req') return await findActs(db, id)
  if (isId('ten', id)) {
    const tenant = await selectTenant(db, id)
    return tenant ? [tenantOf(id, tenant.name)] : []
  }
  if (isId('apr', id)) {
    const approval = await selectApproval(db, id)
    if (!approval) return []
    const about = `${approval.action}, ${approval.status.toLowerCase()}`
    const tenantId = approval.tenant ?? undefined
    return [{ kind: 'approval', id, tenantId, about, page: `/approvals?id=${id}` }]
  }
  if (!(await isSubjectOfActs(db, id))) return []
  const page = `/actions?subject_id=${encodeURIComponent(id)}`
  return [{ kind: 'acts', id, tenantId: undefined, about: undefined, page }]
}

type Prefix = keyof typeof PLACES

const isPlaced = (prefix: string): prefix is Prefix => Object.hasOwn(PLACES, prefix)

async function findPlaced(db: Db, id: string): Promise<Found | undefined> {
  const prefix = id.slice(0, 3)
  const row = await readPlaced(db, id)
  if (!row || !isPlaced(prefix)) return undefined
  const resource = row.resource_id === null ? undefined : await readPlaced(db, row.resource_id)
  return {
    ...{ kind: KINDS[prefix], id, tenantId: row.tenant_id, about: row.about ?? undefined },
    page: pageOf(resource?.tenant_id === row.tenant_id ? resource : row),
  }
}

async function readPlaced(db: Db, id: string): Promise<PlacedRow | undefined> {
  const prefix = id.slice(0, 3)
  if (!isPlaced(prefix)) return undefined
  const parsed = parseId(prefix, id)
  return parsed && (await selectPlaced(db, PLACES[prefix], id, parsed.madeAt))
}

function pageOf({
  tenant_id: tenantId,
  facility_id: facilityId,
  borrower_id: borrowerId,
}: PlacedRow) {
  if (facilityId !== null) return `/margin/${tenantId}/${facilityId}`
  if (borrowerId !== null) return `/reviews/${tenantId}/${borrowerId}`
  return `/administration/tenants/${tenantId}`
}

/** Finds the acts of a request to the operator API. */
async function findActs(db: Db, requestId: string): Promise<Found[]> {
  const parsed = parseId('req', requestId)
  if (!parsed) return []
  const written = {
    from: addMs(parsed.madeAt, -MINUTE_MS),
    to: addMs(parsed.madeAt, LONGEST_REQUEST_MS),
  }
  const acts = await selectActsOfRequest(db, requestId, written)
  return acts.map(({ number, action, actor }) => ({
    kind: 'act' as const,
    id: String(number),
    tenantId: undefined,
    about: `${action}, by ${actor}`,
    page: `/actions?number=${number}`,
  }))
}

async function findTransfer(db: Db, transferId: string): Promise<Found[]> {
  const claim = await selectTransfer(db, transferId)
  const reported = await selectByReference(db, foldReference(transferId))
  const ids = new Set([...(claim ? [claim] : []), ...reported].map((one) => one.repayment_id))
  const found: Found[] = []
  for (const id of ids) {
    const repayment = await findPlaced(db, id)
    if (repayment) found.push({ ...repayment, kind: 'transfer', id: transferId })
  }
  return found
}
