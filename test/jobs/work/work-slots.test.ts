import { expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import type { Claim, Demand } from '../../../src/domain/work/claim.ts'
import { PRIORITIES, type Topic, topicRow } from '../../../src/domain/work/topics.ts'
import { createWorkSlots, toRuns, type WorkSlots } from '../../../src/jobs/work/work-slots.ts'

const READINGS = PRIORITIES.readings.slots
const START = new Date('2026-11-20T10:00:00.000Z')

function claimsOf(topic: Topic, tenantId: string, count: number): Claim[] {
  return Array.from({ length: count }, (_, at) => ({
    tenantId,
    topic,
    subjectId: `${tenantId}_${at}`,
    dueAt: addMs(START, at),
    lease: 'lease',
    generation: 1n,
    attempts: 0,
    traceparent: undefined,
  }))
}

function askAgain(slots: WorkSlots): Demand[] {
  slots.ask()
  return slots.takeDemands()
}

test('batch work is claimed in whole batches, however few slots are free', () => {
  const slots = createWorkSlots(['read-positions'])
  for (let taken = 0; taken < READINGS; taken += 1) {
    const [demand] = askAgain(slots)
    expect(demand).toMatchObject({ batch: 500, most: (READINGS - taken) * 500 })
    expect((demand?.share ?? 0) % 500).toBe(0)
    expect(demand?.share).toBeGreaterThanOrEqual(500)
    slots.take({ topic: 'read-positions', tenantId: `ten_${taken}` })
  }
  expect(askAgain(slots)).toEqual([])
  slots.free({ topic: 'read-positions', tenantId: 'ten_0' })
  expect(askAgain(slots)).toMatchObject([{ most: 500, share: 500 }])
})

test('a tenant that has slots may take half of what the others have left', () => {
  const slots = createWorkSlots(['read-positions'])
  slots.take({ topic: 'read-positions', tenantId: 'ten_a' })
  const half = Math.floor((READINGS - 2) / 2) * 500
  expect(askAgain(slots)[0]?.holds).toEqual([{ tenantId: 'ten_a', share: half }])
})

test('a batch is of one tenant, and no larger than its topic allows', () => {
  const mixed = [
    ...claimsOf('read-positions', 'ten_a', 700),
    ...claimsOf('read-positions', 'ten_b', 300),
  ].sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
  const runs = toRuns(mixed).map(({ tenantId, claims }) => [tenantId, claims.length])
  expect(runs).toEqual([
    ['ten_a', 500],
    ['ten_a', 200],
    ['ten_b', 300],
  ])
})

test('what runs one by one is a run each', () => {
  expect(toRuns(claimsOf('push-floor', 'ten_a', 3)).map(({ claims }) => claims.length)).toEqual([
    1, 1, 1,
  ])
})

test('escalations that take every slot of theirs leave those of sales free', () => {
  const slots = createWorkSlots(['escalate-warning', 'sell-collateral'])
  for (let taken = 0; taken < PRIORITIES.escalations.slots; taken += 1) {
    slots.take({ topic: 'escalate-warning', tenantId: `ten_${taken}` })
  }
  expect(askAgain(slots)).toMatchObject([
    { priority: 'sales', most: PRIORITIES.sales.slots * (topicRow('sell-collateral').batch ?? 1) },
  ])
})

test('a class that is asked in the middle of its tenants is asked once more from the first', () => {
  const slots = createWorkSlots(['push-floor'])
  expect(askAgain(slots)).toMatchObject([{ after: '' }])
  slots.goOnAfter('floors', 'ten_d')
  slots.ask()
  expect(slots.takeDemands()).toMatchObject([{ after: 'ten_d' }])
  slots.goOnAfter('floors', '')
  expect(slots.takeDemands()).toMatchObject([{ after: '' }])
  slots.goOnAfter('floors', '')
  expect(slots.isWanting()).toBe(false)
})

test('a class whose tenants all were asked is left alone while another goes on', () => {
  const slots = createWorkSlots(['push-floor', 'release-draw'])
  expect(askAgain(slots)).toHaveLength(2)
  slots.goOnAfter('floors', 'ten_d')
  expect(slots.takeDemands()).toMatchObject([{ priority: 'floors', after: 'ten_d' }])
})
