import type { SignedClient } from '../vendors/signed-client.ts'
import { TurnedAway } from './exchange.ts'
import { NotShown, Wrong } from './rules.ts'
import { type Answer, assertSame, describeAnswer, type Run } from './run.ts'

/** How a call is to be answered: a test value of docs/provider-contract.md. */
export type Tag = '' | '+refused' | '+pending' | '+returned' | '+none'

export type Act<A extends Answer> = {
  call: string
  /** The id of a call, as an adapter gets it. */
  idOf: (number: number) => string
  /** A call under this number; the same number is the same call. */
  ask: (number: number, tag: Tag) => Promise<A>
  /** Throws `Wrong` for a finished answer that is not of this call. */
  verify?: (answer: A, number: number) => void
  /** The status of one that ends well; default `done`. */
  done?: string
  /** The same call may be answered otherwise later. */
  isReading?: true
}

export type Played<A> = { number: number; answer: A }

/** A call without a tag, the same again, and another twice at the same time. */
export async function playDone<A extends Answer>(
  run: Run,
  { call, ask, verify, done = 'done', isReading }: Act<A>,
): Promise<(Played<A> & { twice: Played<A> | undefined }) | undefined> {
  const settleDone = async (number: number) => {
    const answer = await run.settle(() => ask(number, ''))
    if (answer.status !== done) throw new Wrong(`answered ${describeAnswer(answer)}`, 'plain')
    verify?.(answer, number)
    return answer
  }
  const assertAlike = (one: A, other: A) => {
    if (isReading !== true || one.status !== other.status) assertSame(one, other)
  }
  const number = run.next()
  const answer = await run.step(call, 'first', () => settleDone(number), describeAnswer)
  if (answer === undefined) return undefined
  await run.step(call, 'sent again', async () =>
    assertAlike(answer, await run.settle(() => ask(number, ''))),
  )
  const twice = run.next()
  const last = await run.step(call, 'sent twice at the same time', async () => {
    const both = await Promise.allSettled([ask(twice, ''), ask(twice, '')])
    const ended = await settleDone(twice)
    for (const one of both) {
      if (one.status === 'fulfilled' && one.value.status === done) assertAlike(ended, one.value)
    }
    return ended
  })
  return { number, answer, twice: last && { number: twice, answer: last } }
}

/** A call whose tag asks for this status, and the same again. */
export async function playTagged<A extends Answer>(
  run: Run,
  { call, ask }: Pick<Act<A>, 'call'> & { ask: (number: number) => Promise<A> },
  { tag, status }: { tag: string; status: string },
): Promise<Played<A> | undefined> {
  const number = run.next()
  const settle = () => run.settle(() => ask(number))
  const tagged = async () => {
    const answer = await settle()
    if (answer.status !== status) throw unknownTag(answer, tag)
    return answer
  }
  const answer = await run.step(call, status, tagged, describeAnswer)
  if (answer === undefined) return undefined
  await run.step(call, `${status}, sent again`, async () =>
    assertSame(answer, await settle(), 'refused'),
  )
  return { number, answer }
}

export async function playRefused<A extends Answer>(run: Run, act: Act<A>) {
  const ask = (number: number) => act.ask(number, '+refused')
  return await playTagged(run, { ...act, ask }, { tag: '+refused', status: 'refused' })
}

/** A call that is pending, and then done. */
export async function playPending<A extends Answer>(
  run: Run,
  { call, idOf, ask, verify, done = 'done' }: Act<A>,
): Promise<Played<A> | undefined> {
  const number = run.next()
  const pending = async () => {
    const first = await ask(number, '+pending')
    if (first.status !== 'pending') throw unknownTag(first, '+pending')
    run.noted.pending.push(idOf(number))
    const last = await run.settle(() => ask(number, '+pending'))
    if (last.status !== done) throw new Wrong(`ended as ${describeAnswer(last)}`, 'pending')
    verify?.(last, number)
    return last
  }
  const describe = (last: A) => `pending, then ${describeAnswer(last)}`
  const answer = await run.step(call, 'pending', pending, describe)
  return answer && { number, answer }
}

/** Money that was moved, and comes back; `isReturned` is false if the adapter does not play it. */
export async function playReturned<A extends Answer>(
  run: Run,
  { call, idOf, ask, verify }: Act<A>,
): Promise<(Played<A> & { isReturned: boolean }) | undefined> {
  const number = run.next()
  const settle = async (status: string) => {
    const answer = await run.settle(() => ask(number, '+returned'))
    if (answer.status !== status) throw unknownTag(answer, '+returned')
    verify?.(answer, number)
    return answer
  }
  const answer = await run.step(
    call,
    'done, before it comes back',
    () => settle('done'),
    describeAnswer,
  )
  if (answer === undefined) return undefined
  const returned = await run.step(call, 'returned', () => settle('returned'), describeAnswer)
  if (returned === undefined) return { number, answer, isReturned: false }
  run.noted.returned.push(idOf(number))
  await run.step(call, 'returned, sent again', async () =>
    assertSame(returned, await run.settle(() => ask(number, '+returned')), 'returned'),
  )
  return { number, answer, isReturned: true }
}

/** A call that is cancelled before it comes, and must then do nothing. */
export async function playCancelled<A extends Answer>(
  run: Run,
  {
    call,
    late,
    cancel,
    act,
  }: Record<'call' | 'late', string> & Record<'cancel' | 'act', () => Promise<A>>,
): Promise<void> {
  const refuse = async (ask: () => Promise<A>) => {
    const answer = await run.settle(ask)
    if (answer.status === 'refused') return answer
    throw new Wrong(`answered ${describeAnswer(answer)}`, 'cancelled')
  }
  await run.step(call, 'of an id that you do not know', () => refuse(cancel), describeAnswer)
  await run.step(late, 'after it was cancelled', () => refuse(act), describeAnswer)
}

/** Calls that must be turned away; gives their numbers. */
export async function playTampering(
  run: Run,
  call: string,
  play: (client: SignedClient, number: number) => Promise<unknown>,
): Promise<number[]> {
  const numbers: number[] = []
  for (const [step, client] of run.tampering) {
    const number = run.next()
    numbers.push(number)
    const turnedAway = async () => {
      const error = await play(client, number).catch((thrown: unknown) => thrown)
      if (error instanceof TurnedAway) return error.message
      throw error
    }
    await run.step(call, step, turnedAway, String)
  }
  return numbers
}

/** Reports the callbacks about calls that were pending, and about money that came back. */
export async function playCallbacks({ callbacks, noted, callbackMs, step }: Run): Promise<void> {
  if (!callbacks) {
    await step('callbacks', 'received', async () => {
      throw new NotShown('give --callbacks with a port, and let your adapter post to it')
    })
    return
  }
  const within = `within ${callbackMs / 1_000} s`
  const until = performance.now() + callbackMs
  const restMs = () => Math.max(0, Math.ceil(until - performance.now()))
  for (const id of noted.returned) {
    await step('callbacks', 'about money that came back', async () => {
      if (await callbacks.waitFor(id, restMs())) return
      throw new Wrong(`none that verifies named ${id} ${within}`, 'callback')
    })
  }
  for (const id of noted.pending) {
    await step('callbacks', 'about a pending call', async () => {
      if (await callbacks.waitFor(id, restMs())) return
      throw new NotShown(`none that verifies named ${id} ${within}`)
    })
  }
  await step('callbacks', 'repeated after a 503', async () => {
    if (!(await callbacks.waitForRepeat(restMs()))) throw new NotShown(`none was, ${within}`)
  })
  for (const fault of callbacks.faults) {
    await step('callbacks', 'verified', async () => {
      throw fault
    })
  }
}

const unknownTag = (answer: Answer, tag: string) =>
  new NotShown(`answered ${describeAnswer(answer)}: your adapter does not know the tag ${tag}`)
