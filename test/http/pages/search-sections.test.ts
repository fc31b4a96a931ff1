import { expect, test } from 'vitest'
import { excerpt, searchSections, wordsOf } from '../../../src/http/pages/search-sections.ts'

const section = (heading: string, text: string, page = 'Page') => ({
  ...{ path: `/${heading}`, page, heading, text },
})

const search = (sections: ReturnType<typeof section>[], query: string) => {
  const { sections: found, hasAll } = searchSections(sections, wordsOf(query))
  return { found: found.map(({ heading }) => heading), hasAll }
}

test('a word in a heading counts more than in a text, and the beginning of a word more than its middle', () => {
  const sections = [
    section('One', 'the undrawn part'),
    section('Two', 'a draw'),
    section('Undrawn', ''),
    section('Draws', ''),
  ]
  expect(search(sections, 'DRAW').found).toEqual(['Draws', 'Undrawn', 'Two', 'One'])
})

test('sections with all words come alone; if there is none, those with most', () => {
  const sections = [section('Alpha', 'beta gamma'), section('Beta', ''), section('Delta', 'gamma')]
  expect(search(sections, 'gamma beta')).toEqual({ found: ['Alpha'], hasAll: true })
  const most = { found: ['Alpha'], hasAll: false }
  expect(search(sections, 'gamma beta omega')).toEqual(most)
  expect(search(sections, 'omega')).toEqual({ found: [], hasAll: false })
})

test('a word is found in another of its forms', () => {
  const sections = [section('Retry', ''), section('Signing', ''), section('Limit', '')]
  expect(search(sections, 'retries').found).toEqual(['Retry'])
  expect(search(sections, 'signed').found).toEqual(['Signing'])
  expect(search(sections, 'limits').found).toEqual(['Limit'])
  expect(wordsOf('  string as  AS uses ')).toEqual(['string', 'as', 'uses'])
})

test('a search has an end: of a long query eight words of 100 characters, of many results 20', () => {
  const words = 'abcdefghijklmnop'.split('')
  expect(wordsOf(words.join(' '))).toEqual(words.slice(0, 8))
  expect(wordsOf('x'.repeat(10_000))).toEqual(['x'.repeat(100)])
  const many = Array.from({ length: 50 }, (_, at) => section(`Draw ${at}`, ''))
  expect(search(many, 'draw').found).toHaveLength(20)
})

test('an excerpt has the first of the words, is cut at spaces, and shows where it was cut', () => {
  const text = `${'begin '.repeat(40)}here is the needle ${'after '.repeat(40)}end`
  const part = excerpt(text, ['needle'])
  expect(part).toMatch(/^… (begin )+here is the needle (after )+…$/)
  expect(part.length).toBeLessThan(210)
  expect(excerpt('short needle', ['needle'])).toBe('short needle')
  expect(excerpt(text, ['absent'])).toMatch(/^begin .*begin …$/)
  expect(excerpt('', ['x'])).toBe('')
  expect(excerpt('y'.repeat(500), ['y'])).toHaveLength(202)
})
