import { beforeEach, expect, test } from 'vitest'
import {
  forgetOthers,
  queryClient,
  SESSION_KEY,
  WAYS_KEY,
} from '../../src/pages/data/query-client.ts'

const LIST = ['live', 'facilities']

const ADA = { person: { id: 'per_ada' } }
const GRACE = { person: { id: 'per_grace' } }

beforeEach(() => {
  queryClient.clear()
  queryClient.setQueryData(SESSION_KEY, ADA)
  queryClient.setQueryData(LIST, ['fac_1'])
})

test('what a person has read stays theirs while they are signed in', () => {
  forgetOthers(ADA)
  expect(queryClient.getQueryData(LIST)).toEqual(['fac_1'])
})

test('a person who signs in after another is shown nothing that the other has read', () => {
  forgetOthers(GRACE)
  expect(queryClient.getQueryData(LIST)).toBeUndefined()
})

test('after a session has ended nothing that was read is shown to the next person', () => {
  queryClient.setQueryData(SESSION_KEY, null)
  forgetOthers(GRACE)
  expect(queryClient.getQueryData(LIST)).toBeUndefined()
})

test('the ways to sign in that are being read when a session ends are not forgotten with it', () => {
  queryClient.setQueryData(WAYS_KEY, { local: true })
  forgetOthers(null)
  expect(queryClient.getQueryData(WAYS_KEY)).toEqual({ local: true })
})
