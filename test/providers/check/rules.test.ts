import { expect, test } from 'vitest'
import { RULES } from '../../../src/providers/check/rules.ts'
import { readText } from '../../deploy/read-text.ts'

const PAGES = ['contract', 'payments', 'custodian']

/** The words of the pages, without what marks them up. */
const words = PAGES.map((page) => readText(`docs/provider-${page}.md`))
  .join('\n')
  .replaceAll(/\]\([^)]*\)/g, '')
  .replaceAll(/[*`[\]]/g, '')

test.each(Object.values(RULES))('the contract says: %s', (rule) => {
  expect(words).toContain(rule)
})
