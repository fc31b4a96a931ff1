import { isDeepStrictEqual } from 'node:util'
import { type IdPrefix, newId } from '../../core/ids.ts'
import type { Clock } from '../../core/time.ts'
import type { SignedClient } from '../vendors/signed-client.ts'
import type { CallbackListener } from './callback-listener.ts'
import { NotShown, RULES, type Rule, Wrong } from './rules.ts'

export type Step = {
  /** Such as `payouts`. */
  call: string
  step: string
  result: 'right' | 'wrong' | 'not_shown'
  /** A description of the answer or of the fault. */
  found: string
  /** The contract's sentence about what is wrong. */
  contract?: string
}

export type RunOptions = {
  client: SignedClient
  /** Clients whose calls an adapter must turn away, by how they are wrong. */
  tampering: ReadonlyMap<string, SignedClient>
  callbacks: CallbackListener | undefined
  clock: Clock
  pause: (ms: number) => Promise<void>
  /** How long an answer may be pending. */
  patienceMs: number
  /** How long a callback may take, from the end of all calls. */
  callbackMs: number
  onStep: (step: Step) => void
}

export type Answer = { status: string; askAgainAt?: Date | undefined }

export type Run = Pick<
  RunOptions,
  'client' | 'tampering' | 'callbacks' | 'clock' | 'callbackMs'
> & {
  /** A number that no call of this run has. */
  next(): number
  /** Plays a step and reports it with what was answered; undefined unless it is right. */
  step<T>(
    call: string,
    step: string,
    play: () => Promise<T>,
    describe?: (result: T) => string,
  ): Promise<T | undefined>
  /** Asks again until the answer is not pending. */
  settle<A extends Answer>(ask: () => Promise<A>): Promise<A>
  /** Ids of calls that were pending, and whose money came back. */
  noted: { pending: string[]; returned: string[] }
}

const MOST_PAUSE_MS = 5_000

export function startRun({ pause, onStep, patienceMs, ...options }: RunOptions): Run {
  const { clock } = options
  let number = 0
  return {
    ...options,
    noted: { pending: [], returned: [] },
    next() {
      number += 1
      return number
    },
    async step(call, step, play, describe = () => 'as the contract says') {
      try {
        const result = await play()
        onStep({ call, step, result: 'right', found: describe(result) })
        return result
      } catch (error) {
        if (error instanceof Wrong) {
          const contract = RULES[error.rule]
          onStep({ call, step, result: 'wrong', found: error.message, contract })
        } else if (error instanceof NotShown) {
          onStep({ call, step, result: 'not_shown', found: error.message })
        } else throw error
        return undefined
      }
    },
    async settle(ask) {
      const until = clock().getTime() + patienceMs
      for (;;) {
        const answer = await ask()
        if (answer.status !== 'pending') return answer
        const now = clock().getTime()
        if (now >= until) throw new Wrong(`still pending after ${patienceMs / 1_000} s`, 'pending')
        const wantedMs = (answer.askAgainAt?.getTime() ?? now) - now
        await pause(Math.min(Math.max(wantedMs, 0), MOST_PAUSE_MS, until - now))
      }
    },
  }
}

export function describeAnswer({ status, askAgainAt: _later, ...members }: Answer): string {
  const text = JSON.stringify(members, (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return text === '{}' || status === 'pending' ? status : `${status} ${text}`
}

/** A call that was finished is answered as before. */
export function assertSame(before: Answer, again: Answer, rule: Rule = 'once'): void {
  if (isDeepStrictEqual(before, again)) return
  const found = `answered ${describeAnswer(again)}, and before ${describeAnswer(before)}`
  throw new Wrong(found, rule)
}

/** The id of an object for each number. */
export function idsOf(prefix: IdPrefix): (number: number) => string {
  const ids = new Map<number, string>()
  return (number) => {
    const id = ids.get(number) ?? newId(prefix)
    ids.set(number, id)
    return id
  }
}
