import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createTurns } from './in-turn.ts'
import { type Answer, type Body, call } from './operator-api.ts'

export type Comparison = Answer<'stressBook'>
export type Stress = Comparison['today']
export type StressSums = Stress['total']
export type StressInput = Body<'stressBook'>

const inTurn = createTurns()

export function useStress(body: StressInput) {
  return useQuery({
    queryKey: ['stress', body],
    queryFn: ({ signal }) => inTurn(() => call('stressBook', { body }), signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
