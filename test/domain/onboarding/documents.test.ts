import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import {
  acceptsSignature,
  type ContractDocument,
  listAllDocuments,
  listRequiredDocuments,
  type NewDocument,
  publishDocument,
  retireDocument,
} from '../../../src/domain/onboarding/documents.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { contract } from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()

const NOW = new Date('2026-11-20T10:00:00.000Z')
const LATER = new Date('2026-12-01T10:00:00.000Z')

async function addTenant(): Promise<string> {
  return (await inTransaction(database.db, (tx) => createTenant(tx, 'Test tenant', NOW))).id
}

function publish(tenantId: string, rest: Partial<NewDocument> = {}, now = NOW): Promise<void> {
  return inTransaction(database.db, (tx) => publishDocument(tx, tenantId, contract(rest), now))
}

function retire(tenantId: string, contractType: string, version: string): Promise<void> {
  return inTransaction(database.db, (tx) =>
    retireDocument(tx, tenantId, { contractType, contractVersion: version }, LATER),
  )
}

async function requiredVersions(tenantId: string): Promise<string[]> {
  const documents = await listRequiredDocuments(database.db, tenantId)
  return documents.map(({ contractType, contractVersion }) => `${contractType} ${contractVersion}`)
}

describe('publishing', () => {
  test('publishing a contract makes it required of this tenant’s borrowers and of no others', async () => {
    const [tenantId, other] = [await addTenant(), await addTenant()]
    await publish(tenantId)
    expect(await listRequiredDocuments(database.db, tenantId)).toEqual([
      { ...contract(), publishedAt: NOW, supersededAt: undefined, retiredAt: undefined },
    ])
    expect(await listRequiredDocuments(database.db, other)).toEqual([])
  })

  test('publishing a later version supersedes the one before it and changes no other contract', async () => {
    const tenantId = await addTenant()
    await publish(tenantId)
    await publish(tenantId, { contractType: 'privacy_notice' })
    await publish(tenantId, { contractVersion: '2026-12' }, LATER)
    expect(await requiredVersions(tenantId)).toEqual([
      'master_loan_agreement 2026-12',
      'privacy_notice 2026-01',
    ])
    const [first] = await listAllDocuments(database.db, tenantId)
    expect(first).toMatchObject({ contractVersion: '2026-01', supersededAt: LATER })
  })

  test('publishing two versions at the same moment leaves one of them required', async () => {
    const tenantId = await addTenant()
    const versions = Array.from({ length: 9 }, (_, index) => `2026-0${index + 1}`)
    const results = await Promise.allSettled(
      versions.map((contractVersion) => publish(tenantId, { contractVersion })),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).not.toHaveLength(0)
    const required = await listRequiredDocuments(database.db, tenantId)
    const newest = (await listAllDocuments(database.db, tenantId)).at(-1)
    expect(required).toEqual([newest])
  })

  test.each(['2026-01', '2025-12'])('version %s after 2026-01 is refused', async (version) => {
    const tenantId = await addTenant()
    await publish(tenantId)
    await expect(publish(tenantId, { contractVersion: version })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(await requiredVersions(tenantId)).toEqual(['master_loan_agreement 2026-01'])
  })

  test.each<Partial<NewDocument>>([
    { contractType: 'Master Loan' },
    { contractType: '' },
    { contractType: `a${'b'.repeat(64)}` },
    { contractVersion: '2026-13' },
    { contractVersion: '2026-00' },
    { contractVersion: '2026-1' },
    { contractVersion: '2026-01-01' },
    { title: ' ' },
    { title: 'x'.repeat(201) },
    { contentType: 'pdf' },
    { downloadUrl: 'http://documents.example.com/a.pdf' },
    { downloadUrl: 'https://' },
    { downloadUrl: 'ftp://documents.example.com/a.pdf' },
  ])('a malformed document is refused: %o', async (rest) => {
    const tenantId = await addTenant()
    await expect(publish(tenantId, rest)).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await listAllDocuments(database.db, tenantId)).toEqual([])
  })
})

describe('retiring', () => {
  test('retiring a version ends its listing, and the one it superseded does not come back', async () => {
    const tenantId = await addTenant()
    await publish(tenantId)
    await publish(tenantId, { contractVersion: '2026-12' })
    await retire(tenantId, 'master_loan_agreement', '2026-12')
    expect(await requiredVersions(tenantId)).toEqual([])
    await publish(tenantId, { contractVersion: '2027-01' })
    expect(await requiredVersions(tenantId)).toEqual(['master_loan_agreement 2027-01'])
  })

  test('retiring a document that does not exist, or is retired already, is refused', async () => {
    const tenantId = await addTenant()
    await publish(tenantId)
    const unknown = retire(tenantId, 'master_loan_agreement', '2030-01')
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
    await retire(tenantId, 'master_loan_agreement', '2026-01')
    const again = retire(tenantId, 'master_loan_agreement', '2026-01')
    await expect(again).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a signature under a version', () => {
  const document = (rest: Partial<ContractDocument> = {}): ContractDocument => ({
    ...contract(),
    publishedAt: NOW,
    supersededAt: undefined,
    retiredAt: undefined,
    ...rest,
  })
  const supersededAt = new Date('2026-12-01T00:00:00.000Z')

  test('a signature counts without limit while its version is current', () => {
    expect(acceptsSignature(document(), new Date('2036-01-01T00:00:00Z'), 30)).toBe(true)
  })

  test('a signature counts to the end of the grace days after its version was superseded', () => {
    const superseded = document({ supersededAt })
    expect(acceptsSignature(superseded, new Date('2026-12-31T00:00:00.000Z'), 30)).toBe(true)
    expect(acceptsSignature(superseded, new Date('2026-12-31T00:00:00.001Z'), 30)).toBe(false)
    expect(acceptsSignature(superseded, supersededAt, 0)).toBe(true)
  })

  test('a signature never counts once its version is retired', () => {
    const retired = document({ retiredAt: supersededAt })
    expect(acceptsSignature(retired, NOW, 30)).toBe(false)
  })
})
