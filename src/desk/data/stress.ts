import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Answer, type Body, call } from './operator-api.ts'

export type Comparison = Answer<'stressBook'>
export type Stress = Comparison['today']
export type StressSums = Stress['total']
export type StressInput = Body<'stressBook'>

let last: Promise<unknown> = Promise.resolve()

/** One after the other: the service refuses a second one meanwhile. Those that were replaced before
 * their turn are not sent. */
function stressInTurn(body: StressInput, signal: AbortSignal): Promise<Comparison> {
  const run = last.then(() => {
    signal.throwIfAborted()
    return call('stressBook', { body })
  })
  last = run.catch(() => undefined)
  return run
}

export function useStress(body: StressInput) {
  return useQuery({
    queryKey: ['stress', body],
    queryFn: ({ signal }) => stressInTurn(body, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
