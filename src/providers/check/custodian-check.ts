import { isDeepStrictEqual } from 'node:util'
import { newId } from '../../core/ids.ts'
import { formatDecimal, formatUsd, fractionDigits } from '../../core/money.ts'
import { addMs, MINUTE_MS } from '../../core/time.ts'
import { ONE_USD } from '../../domain/collateral/prices.ts'
import type { Position } from '../../domain/collateral/valuation.ts'
import type {
  CallAnswer,
  Custodian,
  CustodianOrder,
  Execution,
  PledgedAccount,
} from '../../domain/facilities/ports.ts'
import { createHttpCustodian } from '../vendors/custodian-http.ts'
import type { SignedClient } from '../vendors/signed-client.ts'
import {
  type Act,
  playCancelled,
  playDone,
  playPending,
  playRefused,
  playTampering,
} from './acts.ts'
import { NotShown, Wrong } from './rules.ts'
import { type Answer, assertSame, describeAnswer, idsOf, type Run } from './run.ts'

export type CheckedFacility = { facilityId: string; borrowerId: string }

/** A thousandth of a bitcoin. */
const ORDER: CustodianOrder = { asset: 'BTC', units: 100_000n, inKind: false }
const IN_KIND: CustodianOrder = { asset: 'USDC', units: 1_000_000n, inKind: true }

const MOST_PAGES = 100

/** Assets taken in kind need a price. Any will do: the check books nothing of it. */
const open = (client: SignedClient): Custodian => createHttpCustodian(client, async () => ONE_USD)

type Context = {
  run: Run
  custodian: Custodian
  /** A call of a purpose such as `floor` under a number. */
  callOf: (purpose: string, number: number, tag?: string) => Called
  idOf: (purpose: string) => (number: number) => string
  tenantId: string
  facilityId: string
}
type Called = Parameters<Custodian['confirmControl']>[0]

/** Plays every call of docs/provider-custodian.md, about one facility, which is released in the end. */
export async function checkCustodian(
  run: Run,
  tenantId: string,
  { facilityId, borrowerId }: CheckedFacility,
): Promise<void> {
  // Numbers that no earlier check of this facility had.
  const base = Math.floor(run.clock().getTime() / 1_000) * 1_000
  const context: Context = {
    ...{ run, custodian: open(run.client), tenantId, facilityId },
    callOf: (purpose, number, tag = '') => ({
      ...{ tenantId, callId: `${facilityId}/${purpose}/${base + number}`, realNow: run.clock() },
      ...{ account: `svc-check${tag}`, facilityId, borrowerId },
    }),
    idOf: (purpose) => (number) => `${facilityId}.${purpose}.${base + number}`,
  }
  await playControls(context)
  const floorCents = await playFloors(context, base)
  const held = await playPositions(context)
  await playReadings(context, held)
  await playAccounts(context, { held, floorCents })
  await playSales(context)
  await playReleases(context, base)
}

/** The first is of the facility that is checked, and others of facilities of their own: control of one
 * is asked for once. */
async function playControls({ run, custodian, callOf, facilityId }: Context): Promise<void> {
  const others = idsOf('fac')
  let first: number | undefined
  const facilityOf = (number: number) => {
    first ??= number
    return number === first ? facilityId : others(number)
  }
  const act: Act<CallAnswer<object>> = {
    call: 'controls',
    idOf: (number) => `${facilityOf(number)}.control`,
    ask(number, tag) {
      const { borrowerId, ...call } = callOf('control', number, tag)
      const id = facilityOf(number)
      const whose = id === facilityId ? borrowerId : `bor_${id.slice(4)}`
      const named = { callId: `${id}/control`, facilityId: id, borrowerId: whose }
      return custodian.confirmControl({ ...call, ...named })
    },
  }
  await playDone(run, act)
  await playRefused(run, act)
  await playPending(run, act)
}

/** Gives the floor that is in force afterwards. */
async function playFloors(context: Context, base: number): Promise<bigint | undefined> {
  const { run, callOf, idOf } = context
  let inForce: { number: number; cents: bigint } | undefined
  const floorOf = (number: number) => BigInt(100_00 + number)
  const set = async (number: number, tag = '', client = run.client) => {
    const sequence = BigInt(base + number)
    const call = { ...callOf('floor', number, tag), sequence, floorCents: floorOf(number) }
    const answer = await open(client).setFloor(call)
    const isNewer = inForce === undefined || inForce.number < number
    if (answer.status === 'done' && isNewer) inForce = { number, cents: floorOf(number) }
    return answer
  }
  const act: Act<CallAnswer<object>> = {
    ...{ call: 'floors', idOf: idOf('floor') },
    ask: (number, tag) => set(number, tag),
  }
  const late = run.next()
  await playDone(run, act)
  await playRefused(run, act)
  await playPending(run, act)
  await run.step('floors', 'of a lower sequence', () => run.settle(() => set(late)), describeAnswer)
  await playTampering(run, 'floors', (client, number) => set(number, '', client))
  return inForce?.cents
}

async function playPositions({ run, custodian, callOf, idOf }: Context) {
  const act: Act<CallAnswer<{ positions: readonly Position[] }>> = {
    ...{ call: 'positions', idOf: idOf('application'), isReading: true },
    ask: (number, tag) => custodian.positions(callOf('application', number, tag)),
  }
  const played = await playDone(run, act)
  await playRefused(run, act)
  await playPending(run, act)
  if (played?.answer.status !== 'done') return undefined
  const { positions } = played.answer
  await run.step('positions', 'has what the test account holds', async () => {
    for (const { asset, units } of [ORDER, IN_KIND]) {
      const held = positions.find((position) => position.asset === asset)?.units ?? 0n
      if (held < units) throw new NotShown(`the account holds too little ${asset} to sell`)
    }
  })
  return positions
}

async function playReadings(
  { run, custodian, callOf, tenantId, facilityId }: Context,
  held: readonly Position[] | undefined,
): Promise<void> {
  await run.step('readings', 'of one account', async () => {
    const account = callOf('reading', run.next())
    const call = { tenantId, callId: newId('rdg'), realNow: run.clock(), accounts: [account] }
    const reading = (await custodian.readings(call)).get(facilityId)
    if (reading?.status !== 'done') {
      throw new Wrong(`the account is ${reading?.status ?? 'missing'}`, 'each')
    }
    if (held) assertHeld(reading.positions, held)
  })
}

async function readPledged({ run, custodian, tenantId, facilityId }: Context) {
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const realNow = run.clock()
    const day = realNow.toISOString().slice(0, 10).replaceAll('-', '')
    // The number of a page is new each time: the same id would be the same call.
    const callId = `${tenantId}/accounts/${day}/${realNow.getTime() * 100 + run.next()}`
    const answer = await run.settle(() => custodian.accounts({ tenantId, callId, realNow, after }))
    if (answer.status !== 'done') throw new Wrong(`answered ${describeAnswer(answer)}`, 'pledged')
    const found = answer.accounts.find((account) => account.facilityId === facilityId)
    if (found || answer.next === undefined) return found
    after = answer.next
  }
  throw new Wrong(`has more than ${MOST_PAGES} pages`, 'pledged')
}

async function playAccounts(
  context: Context,
  { held, floorCents }: { held: readonly Position[] | undefined; floorCents: bigint | undefined },
): Promise<void> {
  const { run } = context
  let found: PledgedAccount | undefined
  await run.step('accounts', 'lists the facility', async () => {
    found = await readPledged(context)
    if (!found) throw new Wrong(`leaves out ${context.facilityId}`, 'pledged')
  })
  if (!found) return
  const { positions, floorCents: listed } = found
  await run.step('accounts', 'with its floor', async () => {
    if (floorCents === undefined || listed === floorCents) return
    const shown = listed === undefined ? 'none' : formatUsd(listed)
    throw new Wrong(`the floor is ${shown}, and ${formatUsd(floorCents)} was set`, 'sequence')
  })
  await run.step('accounts', 'with its positions', async () => {
    if (held) assertHeld(positions, held)
  })
}

function assertHeld(given: readonly Position[], held: readonly Position[]): void {
  const sorted = (positions: readonly Position[]) =>
    positions
      .filter(({ units }) => units > 0n)
      .map(({ asset, units }) => `${formatDecimal(units, fractionDigits(asset))} ${asset}`)
      .sort()
  if (isDeepStrictEqual(sorted(given), sorted(held))) return
  const show = (positions: readonly Position[]) => sorted(positions).join(', ') || 'nothing'
  throw new Wrong(`the account holds ${show(given)}, by positions ${show(held)}`, 'everything')
}

async function playSales(context: Context): Promise<void> {
  const { run, custodian, callOf, idOf } = context
  const placeBy = () => addMs(run.clock(), MINUTE_MS)
  const sell = (number: number, tag = '', order = ORDER, by = placeBy()) =>
    custodian.sell({ ...callOf('call/1', number, tag), order, placeBy: by })
  const cancel = (number: number, tag = '') =>
    custodian.cancelSale({ ...callOf('call/1', number, tag), order: ORDER })
  const act: Act<CallAnswer<Execution>> = {
    ...{ call: 'sales', idOf: idOf('call.1') },
    ask: (number, tag) => sell(number, tag),
    verify: (answer) => assertFill(answer, ORDER),
  }
  const sold = await playDone(run, act)
  if (sold) {
    await run.step('cancellations', 'of a sale that was made', async () =>
      assertSame(sold.answer, await run.settle(() => cancel(sold.number)), 'endSale'),
    )
  }
  await playRefused(run, act)
  await playPending(run, act)
  await playDone(run, {
    ...act,
    call: 'sales, in kind',
    ask: (number) => sell(number, '', IN_KIND),
    verify: (answer) => assertFill(answer, IN_KIND),
  })
  await run.step('sales', 'after place_by', async () => {
    const number = run.next()
    const late = () => sell(number, '', ORDER, addMs(run.clock(), -MINUTE_MS))
    const answer = await run.settle<Answer>(late)
    if (answer.status !== 'refused') throw new Wrong(`answered ${describeAnswer(answer)}`, 'late')
  })
  const cancelled = run.next()
  await playCancelled(run, {
    ...{ call: 'cancellations', late: 'sales' },
    cancel: () => cancel(cancelled),
    act: () => sell(cancelled),
  })
}

function assertFill(answer: CallAnswer<Execution>, order: CustodianOrder): void {
  if (answer.status !== 'done' || answer.units <= order.units) return
  const show = (units: bigint) =>
    `${formatDecimal(units, fractionDigits(order.asset))} ${order.asset}`
  throw new Wrong(`filled ${show(answer.units)} of ${show(order.units)}`, 'sold')
}

async function playReleases(context: Context, base: number): Promise<void> {
  const { run, custodian, callOf, idOf } = context
  const callBy = (number: number, tag = '') => ({
    ...{ ...callOf('lien', number, tag), sequence: BigInt(base + number) },
  })
  const cancelled = run.next()
  await playCancelled(run, {
    ...{ call: 'release_cancellations', late: 'releases' },
    cancel: () => custodian.cancelRelease(callBy(cancelled)),
    act: () => custodian.releaseLien(callBy(cancelled)),
  })
  const act: Act<CallAnswer<object>> = {
    ...{ call: 'releases', idOf: idOf('lien') },
    ask: (number, tag) => custodian.releaseLien(callBy(number, tag)),
  }
  await playRefused(run, act)
  const released = await playDone(run, act)
  if (!released) return
  await run.step('accounts', 'without what was released', async () => {
    if (await readPledged(context)) throw new Wrong(`lists ${context.facilityId}`, 'released')
  })
}
