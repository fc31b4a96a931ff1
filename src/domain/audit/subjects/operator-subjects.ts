import type { Subjects } from '../subject-queries.ts'
import { all } from './subject-parts.ts'

const NUMBER = [{ name: 'number', type: 'bigint' }]

export const OPERATOR_ACTIONS: Subjects = {
  name: 'operator-action',
  key: NUMBER,
  sources: [{ table: 'operator_actions', key: ['number'], mark: 'written_at', order: NUMBER }],
  within: [
    all('operator_actions'),
    `operator_actions AS MATERIALIZED (SELECT r.* FROM page p CROSS JOIN LATERAL (
       SELECT * FROM operator_actions t WHERE t.number = p.number OFFSET 0) r)`,
  ],
}

const ONLY_ROW = [{ name: 'only_row', type: 'boolean' }]

export const OPERATOR_TRAIL: Subjects = {
  name: 'operator-trail',
  key: ONLY_ROW,
  sources: [{ table: 'operator_trail', key: ['only_row'], where: 'only_row', order: ONLY_ROW }],
  within: [],
}
