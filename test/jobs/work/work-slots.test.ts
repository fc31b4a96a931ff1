import { expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import type { Claim, Demand, Rest } from '../../../src/domain/work/claim.ts'
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
  slots.goOn('floors', { after: 'ten_d', rest: 'none' })
  slots.ask()
  expect(slots.takeDemands()).toMatchObject([{ after: 'ten_d' }])
  slots.goOn('floors', { after: '', rest: 'none' })
  expect(slots.takeDemands()).toMatchObject([{ after: '' }])
  slots.goOn('floors', { after: '', rest: 'none' })
  expect(slots.isWanting()).toBe(false)
})

test('a class whose tenants all were asked is left alone while another goes on', () => {
  const slots = createWorkSlots(['push-floor', 'release-draw'])
  expect(askAgain(slots)).toHaveLength(2)
  slots.goOn('floors', { after: 'ten_d', rest: 'none' })
  expect(slots.takeDemands()).toMatchObject([{ priority: 'floors', after: 'ten_d' }])
})

const RUN = { topic: 'push-floor', tenantId: 'ten_a' } as const

function claimOne(slots: WorkSlots, rest: Rest): void {
  slots.takeDemands()
  slots.goOn('floors', { after: '', rest })
  slots.take(RUN)
}

test('what a claim has taken whole is not asked for again, not even when a run ends', () => {
  const slots = createWorkSlots(['push-floor'])
  claimOne(slots, 'none')
  expect(slots.isWanting()).toBe(false)
  slots.free(RUN)
  expect(slots.isWanting()).toBe(false)
})

test('a class of which a tenant got all it may have at once is claimed for again at once', () => {
  const slots = createWorkSlots(['push-floor'])
  claimOne(slots, 'claim again')
  expect(slots.isWanting()).toBe(true)
})

test('what a tenant has no slot for is claimed when a run of its class ends', () => {
  const slots = createWorkSlots(['push-floor', 'release-draw'])
  claimOne(slots, 'when a run ends')
  slots.goOn('payments', { after: '', rest: 'none' })
  slots.take({ topic: 'release-draw', tenantId: 'ten_a' })
  slots.free({ topic: 'release-draw', tenantId: 'ten_a' })
  expect(slots.isWanting()).toBe(false)
  slots.free(RUN)
  expect(slots.takeDemands()).toMatchObject([{ priority: 'floors' }])
})

test('a run that ends while its class is claimed for is not missed', () => {
  const slots = createWorkSlots(['push-floor'])
  slots.take(RUN)
  slots.takeDemands()
  slots.free(RUN)
  slots.goOn('floors', { after: '', rest: 'when a run ends' })
  expect(slots.isWanting()).toBe(true)
})

test('a deadline that waits is claimed when a run of any class ends', () => {
  const slots = createWorkSlots(['advance-clock', 'expire-repayment'])
  slots.takeDemands()
  slots.take({ topic: 'advance-clock', tenantId: 'ten_a' })
  slots.goOn('clocks', { after: '', rest: 'none' })
  slots.goOn('deadlines', { after: '', rest: 'when a run ends' })
  expect(slots.isWanting()).toBe(false)
  slots.free({ topic: 'advance-clock', tenantId: 'ten_a' })
  expect(slots.takeDemands()).toMatchObject([{ priority: 'deadlines' }])
})
