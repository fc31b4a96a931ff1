import { expect, test } from 'vitest'
import { TEST_TENANT } from '../../../src/providers/check/check-adapter.ts'
import { RULES } from '../../../src/providers/check/rules.ts'
import { PROVIDER_CONTRACT } from '../../../src/providers/vendors/signed-client.ts'
import { readText } from '../../deploy/read-text.ts'

const PAGES = ['contract', 'payments', 'custodian']

/** The words of the pages, without what marks them up. */
const words = PAGES.map((page) => readText(`docs/provider-${page}.md`))
  .join('\n')
  .replaceAll(/\]\([^)]*\)/g, '')
  .replaceAll(/[*`[\]]/g, '')

test('the contract names the number that calls carry, and the test tenant', () => {
  expect(words).toContain(`X-Provider-Contract: ${PROVIDER_CONTRACT}\n`)
  expect(words).toContain(`All its calls are for ${TEST_TENANT}, `)
})

test.each(Object.values(RULES))('the contract says: %s', (rule) => {
  expect(words).toContain(rule)
})
