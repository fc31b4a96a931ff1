import pLimit from 'p-limit'
import { createOverlap } from '../../core/overlap.ts'
import { createPace } from '../../core/pace.ts'
import { type DeliveryLane, FIRST_STRIDE } from './delivery-lane.ts'
import { createDeliveryPass, type DeliveryPassOptions } from './delivery-pass.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import { createStep, type Step } from './delivery-step.ts'
import { runSteps } from './run-steps.ts'

/** Few enough that all that is claimed starts at once. */
const MOST_LANES = 64

/** Where so many wait, another pass begins beside the one under way. */
const ENOUGH_LANES = 16

/** Passes begin so often on average, so that what comes one by one is handled together. A few may begin
 * at once, and a backlog does not wait. */
const EVERY_MS = 7
const AT_ONCE = 5

/** What has ended waits this long for a pass to be recorded in. */
const RECORD_WITHIN_MS = 20

/** A pass that takes longer keeps no other from beginning. */
const PATIENCE_MS = 50

const SIDE_BY_SIDE = 3
const ALONE_SIDE_BY_SIDE = 3

/** Then a pass waits for the lock, so that what has ended is recorded within its lease. */
const TIMES_LOCKED = 3

type Entry = { lane: DeliveryLane; done: PromiseWithResolvers<void> }

export type SharedPasses = {
  /** Resolves once the lane's pass has committed. */
  run(lane: DeliveryLane): Promise<void>
  /** As `run`, with the next pass of any lane or a little later. */
  runWithNext(lane: DeliveryLane): Promise<void>
  /** The lane waits no longer for another's pass. */
  hurry(lane: DeliveryLane): void
}

/** Lanes that are ready at the same time share one transaction. What fails together, or must have a
 * transaction of its own, runs alone. */
export function createSharedPasses(
  options: DeliveryPassOptions,
  slots: DeliverySlots<DeliveryLane>,
  mayClaim: (lane: DeliveryLane) => boolean,
): SharedPasses {
  const pass = createDeliveryPass(options, slots)
  const limitAlone = pLimit(ALONE_SIDE_BY_SIDE)
  const waiting: Entry[] = []
  const unhurried = new Map<DeliveryLane, Entry>()
  let recording: NodeJS.Timeout | undefined
  let isStarting = false
  const overlap = createOverlap(SIDE_BY_SIDE, PATIENCE_MS)
  const pace = createPace(EVERY_MS, AT_ONCE)

  const takeStep = (lane: DeliveryLane, among = 1): Step =>
    createStep(lane, mayClaim(lane) ? slots.take(lane, lane.stride, among) : 0)

  /** Lanes of one tenant share what is free: one that gets no slot would need another pass. */
  function takeSteps(lanes: readonly DeliveryLane[]): Step[] {
    const left = new Map<string, number>()
    const countOf = ({ tenantId }: DeliveryLane) => left.get(tenantId) ?? 0
    for (const lane of lanes) if (mayClaim(lane)) left.set(lane.tenantId, countOf(lane) + 1)
    return lanes.map((lane) => {
      const among = countOf(lane)
      if (mayClaim(lane)) left.set(lane.tenantId, among - 1)
      return takeStep(lane, among)
    })
  }

  function noteEnd({ lane, outcome }: Step): void {
    if (outcome === 'locked') {
      lane.timesLocked += 1
      lane.pause.begin(() => lane.signal())
    } else {
      lane.timesLocked = 0
      lane.recordsAlone = false
      lane.pause.end()
    }
  }

  const runAlone = (lane: DeliveryLane) =>
    limitAlone(async () => {
      const step = takeStep(lane)
      await runSteps(options, slots, [step], (tx) => pass.alone(tx, step))
      noteEnd(step)
    })

  function finishAlone({ lane, done }: Entry): void {
    runAlone(lane).then(done.resolve, done.reject)
  }

  async function runTogether(entries: readonly Entry[], onWait: () => void): Promise<void> {
    const steps = takeSteps(entries.map(({ lane }) => lane))
    try {
      await runSteps(options, slots, steps, (tx) => pass.together(tx, steps, onWait))
    } catch (error) {
      const hasClaimed = steps.some((step) => step.hasClaimed)
      // Recording comes after claims: what fails it must not undo the claims of the next pass too.
      for (const { lane, attempts, unleased } of hasClaimed ? steps : []) {
        lane.recordsAlone = attempts.length + unleased.length > 0
      }
      for (const entry of entries) {
        if (hasClaimed || entries.length === 1) entry.done.reject(error)
        else finishAlone(entry)
      }
      return
    }
    for (const [at, entry] of entries.entries()) {
      const step = steps[at]
      if (step?.outcome === 'alone') {
        finishAlone(entry)
        continue
      }
      if (step) noteEnd(step)
      entry.done.resolve()
    }
  }

  const isTime = () => waiting.length > 0 && overlap.mayBegin(waiting.length >= ENOUGH_LANES)

  function begin(): void {
    isStarting = false
    if (!isTime()) return
    const entries = waiting.splice(0, MOST_LANES)
    entries.push(...takeUnhurried(MOST_LANES - entries.length))
    pace.take()
    const pass = overlap.begin(start)
    void runTogether(entries, pass.delay).finally(pass.end)
  }

  /** Lanes that wake together go together. */
  function start(): void {
    if (isStarting || !isTime()) return
    isStarting = true
    const pauseMs = pace.pauseMs()
    const isBacklog = waiting.some(({ lane }) => lane.stride > FIRST_STRIDE)
    if (isBacklog) setImmediate(begin)
    else if (pauseMs > 0) setTimeout(begin, pauseMs)
    else process.nextTick(begin)
  }

  function takeUnhurried(most: number): Entry[] {
    const taken = [...unhurried.values()].slice(0, most)
    for (const { lane } of taken) unhurried.delete(lane)
    if (unhurried.size === 0) {
      clearTimeout(recording)
      recording = undefined
    }
    return taken
  }

  function recordNow(): void {
    recording = undefined
    waiting.push(...takeUnhurried(unhurried.size))
    start()
  }

  const mustRunAlone = (lane: DeliveryLane) =>
    (lane.recordsAlone || lane.timesLocked >= TIMES_LOCKED) && lane.finished.length > 0

  return {
    run(lane) {
      if (mustRunAlone(lane)) return runAlone(lane)
      const done = Promise.withResolvers<void>()
      waiting.push({ lane, done })
      start()
      return done.promise
    },
    runWithNext(lane) {
      if (mustRunAlone(lane)) return runAlone(lane)
      const done = Promise.withResolvers<void>()
      unhurried.set(lane, { lane, done })
      recording ??= setTimeout(recordNow, RECORD_WITHIN_MS)
      return done.promise
    },
    hurry(lane) {
      const entry = unhurried.get(lane)
      if (!entry) return
      unhurried.delete(lane)
      waiting.push(entry)
      start()
    },
  }
}

/** On a distributed database no statement serves two tenants. */
export function createTenantPasses(create: () => SharedPasses): SharedPasses {
  const passesOf = new Map<string, { passes: SharedPasses; waiting: number }>()

  async function run(
    { tenantId }: DeliveryLane,
    start: (passes: SharedPasses) => Promise<void>,
  ): Promise<void> {
    const own = passesOf.get(tenantId) ?? { passes: create(), waiting: 0 }
    passesOf.set(tenantId, own)
    own.waiting += 1
    try {
      await start(own.passes)
    } finally {
      own.waiting -= 1
      if (own.waiting === 0) passesOf.delete(tenantId)
    }
  }

  return {
    run: (lane) => run(lane, (passes) => passes.run(lane)),
    runWithNext: (lane) => run(lane, (passes) => passes.runWithNext(lane)),
    hurry: (lane) => passesOf.get(lane.tenantId)?.passes.hurry(lane),
  }
}
