import { expect, test } from 'vitest'
import { checkRouting } from './check-routing.ts'

const TABLES = new Map([
  ['facilities', true],
  ['draws', true],
  ['work', true],
  ['operators', false],
])

const check = (text: string, ...parameters: unknown[]) =>
  checkRouting({ text, parameters }, (table) => TABLES.get(table))
const toOne = (text: string, ...parameters: unknown[]) => check(text, ...parameters).toOne
const toAll = (text: string) => check(text).toAll

test('a statement that names its tenant in every part passes', () => {
  expect(toOne('SELECT * FROM facilities WHERE tenant_id = $1 AND state = $2', 'a', 'b')).toEqual(
    [],
  )
  expect(toOne('UPDATE facilities SET state = $2 WHERE tenant_id = $1', 'a', 'b')).toEqual([])
  expect(toOne('INSERT INTO draws (tenant_id, id) VALUES ($1, 2), ($1, 3)', 'a')).toEqual([])
  expect(toOne('SELECT * FROM operators')).toEqual([])
})

test('a table takes its tenant from one that it is joined with in the same part', () => {
  const joined = 'SELECT FROM facilities f JOIN draws d USING (tenant_id) WHERE d.tenant_id = $1'
  expect(toOne(joined, 'a')).toEqual([])
  const missing = `SELECT FROM facilities f WHERE f.tenant_id = $1
    AND NOT EXISTS (SELECT FROM draws d WHERE (d.tenant_id, d.id) = (f.tenant_id, f.id))`
  expect(toOne(missing, 'a')).toEqual([])
  const within = `SELECT FROM facilities f WHERE f.tenant_id = $1
    AND (f.tenant_id, f.id) IN (SELECT d.tenant_id, d.id FROM draws d)`
  expect(toOne(within, 'a')).toEqual([])
})

test('a statement fails that names no tenant, or a list of tenants', () => {
  const found = ['does not name the tenant of facilities']
  expect(toOne('SELECT * FROM facilities')).toEqual(found)
  expect(toOne('SELECT * FROM facilities WHERE tenant_id = ANY ($1)', ['a', 'b'])).toEqual(found)
  expect(toOne('SELECT * FROM facilities WHERE tenant_id = $1 OR id = 2', 'a')).toEqual(found)
  expect(toOne('DELETE FROM facilities WHERE id = $1', 'a')).toEqual(found)
})

test('a statement fails whose tenant is named in a WITH query or a subquery alone', () => {
  const from = 'WITH one AS MATERIALIZED (SELECT * FROM facilities WHERE tenant_id = $1)'
  expect(toOne(`${from} SELECT FROM one JOIN draws d USING (tenant_id)`, 'a')).toEqual([
    'does not name the tenant of d',
  ])
  const update = `${from} UPDATE work w SET x = 1 FROM one WHERE w.tenant_id = one.tenant_id`
  expect(toOne(update, 'a')).toEqual(['does not name the tenant of w'])
  const scalar = `SELECT (SELECT max(id) FROM draws d WHERE d.tenant_id = f.tenant_id)
    FROM facilities f WHERE f.tenant_id = $1`
  expect(toOne(scalar, 'a')).toEqual(['does not name the tenant of d'])
  const lateral = `SELECT FROM facilities f CROSS JOIN LATERAL (
    SELECT FROM draws d WHERE d.tenant_id = f.tenant_id LIMIT 1) d WHERE f.tenant_id = $1`
  expect(toOne(lateral, 'a')).toEqual(['does not name the tenant of d'])
})

test('the condition of an outer join names the tenant of the side that may be missing', () => {
  const right = 'SELECT FROM facilities f LEFT JOIN draws d ON d.tenant_id = f.tenant_id'
  expect(toOne(`${right} WHERE f.tenant_id = $1`, 'a')).toEqual([])
  expect(toOne(`${right} AND d.tenant_id = $1`, 'a')).toEqual(['does not name the tenant of f'])
})

test('a row that is inserted has its tenant from a parameter or a table of that tenant', () => {
  const from = 'INSERT INTO draws (tenant_id, id) SELECT f.tenant_id, 1 FROM facilities f'
  expect(toOne(`${from} WHERE f.tenant_id = $1`, 'a')).toEqual([])
  expect(toOne('INSERT INTO draws (tenant_id) SELECT * FROM unnest($1::text[])', ['a'])).toEqual([
    'does not name the tenant of draws',
  ])
  expect(toOne('INSERT INTO draws (id) VALUES (1)')).toEqual(['does not name the tenant of draws'])
  const value = 'INSERT INTO draws (tenant_id, id) VALUES ($1, (SELECT 1))'
  expect(toOne(value, 'a')).toHaveLength(1)
})

test('a statement fails that names two tenants, or joins a table without one', () => {
  const two = `SELECT FROM facilities f, draws d WHERE f.tenant_id = $1 AND d.tenant_id = $2`
  expect(toOne(two, 'a', 'a')).toEqual([])
  expect(toOne(two, 'a', 'b')).toEqual(['names more than one tenant'])
  expect(toOne('SELECT FROM facilities, operators WHERE tenant_id = $1', 'a')).toEqual([
    'reads operators, of no tenant, beside tables of tenants',
  ])
})

test('a read whose joins keep to one tenant passes', () => {
  expect(toAll('SELECT count(*) FROM facilities')).toEqual([])
  expect(toAll('SELECT FROM facilities f JOIN draws d USING (tenant_id, id)')).toEqual([])
})

test('a statement across tenants fails that writes, locks, recurs or mixes tenants', () => {
  expect(toAll('UPDATE work SET ready = true')).toEqual(['writes rows'])
  expect(toAll('SELECT FROM work FOR UPDATE SKIP LOCKED')).toEqual(['locks rows'])
  const recursive = `WITH RECURSIVE lane AS (SELECT min(id) AS id FROM work
    UNION ALL SELECT id + 1 FROM lane WHERE id < 9) SELECT * FROM lane`
  expect(toAll(recursive)).toEqual(['is recursive'])
  expect(toAll('SELECT FROM facilities f JOIN draws d USING (id)')).toEqual([
    'joins rows of different tenants',
  ])
  const listed = `SELECT FROM unnest('{1,2}'::int[]) AS of (tier)
    CROSS JOIN LATERAL (SELECT FROM work WHERE work.tier = of.tier LIMIT 3) w`
  expect(toAll(listed)).toEqual(['limits what it reads for each row of a list'])
})
