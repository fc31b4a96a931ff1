import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCOPE_SENTENCES, SCOPES, type Scope } from '../../src/core/scopes.ts'
import { readTable } from '../client/read-table.ts'
import { apiForFile } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { readOperations } from './fuzz/document.ts'

type Document = {
  paths: Record<string, Record<string, { operationId: string; description?: string }>>
}

/** What the interface grants by each scope. Beside the code on purpose: a route must be in both. */
const GRANTED: Record<Scope, string[]> = {
  'borrower:read': [
    ...['listDocuments', 'getBorrower', 'listBorrowers', 'listSignatures', 'getPortfolio'],
  ],
  'borrower:write': ['createBorrower', 'submitSignature', 'setSandboxCompliance'],
  'portfolio:write': ['putPortfolio', 'setPortfolioSource', 'getPortfolioSource'],
  'facility:read': [
    ...['getFacility', 'listFacilities', 'getCollateral', 'getDraw'],
    ...['listDraws', 'getRepayment', 'listRepayments', 'getMarginWarning', 'listMarginWarnings'],
    ...['getMarginCall', 'listMarginCalls', 'listMarginDecisions', 'getSandboxClock'],
    ...['listSandboxPrices', 'getMarginLevels', 'previewFacility', 'getReceipt'],
    ...['getStatement', 'getPayoff'],
  ],
  'facility:write': [
    ...['createFacility', 'requestDraw', 'closeFacility', 'setSandboxPrice'],
    ...['setSandboxCustodian', 'setSandboxCustodianPositions', 'advanceSandboxClock'],
    ...['setSandboxHold', 'amendSandboxFacility', 'correctSandboxFacility'],
  ],
  'repayment:write': [
    'createRepayment',
    'makeSandboxBreak',
    'reportExecution',
    'reportNotice',
    'returnSandboxPayment',
    'setSandboxPayments',
  ],
  'webhook:read': [
    ...['listWebhooks', 'getWebhook', 'listDeliveries', 'replayEvents', 'listEvents', 'getEvent'],
    'listDeliveryAttempts',
  ],
  'webhook:write': [
    ...['createSigningSecret', 'registerWebhook', 'deleteWebhook', 'retryDelivery'],
    'simulateDelivery',
    'recoverWebhook',
  ],
}

/** What any key may do. */
const OF_ANY_KEY = ['whoami']

const operations = readOperations()
const scopeOf = (id: string) => SCOPES.find((scope) => GRANTED[scope].includes(id))

const api = apiForFile()

test('every operation has one scope or none, and every scope belongs to an operation', () => {
  const granted = [...Object.values(GRANTED).flat(), ...OF_ANY_KEY]
  expect(granted.sort()).toEqual(operations.map(({ id }) => id).sort())
})

test('the document names the scope of each operation', () => {
  const { paths } = api.app.swagger() as unknown as Document
  const described = Object.values(paths).flatMap((methods) => Object.values(methods))
  const wrong = described.filter(({ operationId, description = '' }) => {
    const scope = scopeOf(operationId)
    return !description.endsWith(scope ? `Scope: \`${scope}\`.` : 'Scope: none.')
  })
  expect(described).toHaveLength(operations.length)
  expect(wrong).toEqual([])
})

test('the page of scopes has the sentences that the forms of keys show', () => {
  const page = readFileSync(new URL('../../docs/requests.md', import.meta.url), 'utf8')
  const rows = readTable(page, ['Scope', 'What it allows'])
  const shown = rows.map((row) => [row.Scope?.replaceAll('`', ''), row['What it allows']])
  expect(shown).toEqual(Object.entries(SCOPE_SENTENCES))
})

const scoped = operations.filter(({ id }) => !OF_ANY_KEY.includes(id))

test.each(scoped.map((operation) => [operation.name, operation] as const))(
  '%s needs its scope and no other',
  async (_name, { id, method, path, body, example }) => {
    const needed = scopeOf(id)
    const ask = async (scopes: readonly Scope[]) => {
      const key = await api.tenant.addKey({ scopes })
      const target = path.replace(/\{\w+\}/g, 'x')
      return await key.send(method, target, { ...(body && { body: example ?? {} }) })
    }
    const without = await ask(SCOPES.filter((scope) => scope !== needed))
    const problem = expectProblem(without, 403, 'scope_missing')
    expect(problem).toMatchObject({ required_scope: needed })
    expect((await ask(needed ? [needed] : [])).status).not.toBe(403)
  },
)
