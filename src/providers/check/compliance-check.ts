import type { CheckAnswer, CheckRequest } from '../../domain/onboarding/compliance.ts'
import { createHttpIdentity } from '../vendors/identity-http.ts'
import { type Act, playDone, playPending, playTagged, playTampering } from './acts.ts'
import { idsOf, type Run } from './run.ts'

/** Plays every answer of the KYC contract in docs/providers.md. */
export async function checkCompliance(run: Run, tenantId: string): Promise<void> {
  const idOf = idsOf('chk')
  const references = new Map<number, string | undefined>()
  const requestOf = (
    number: number,
    tag = '',
    borrowerType: CheckRequest['subject']['borrowerType'] = 'individual',
  ): CheckRequest => ({
    ...{ tenantId, checkId: idOf(number), reference: references.get(number), now: run.clock() },
    subject: {
      ...{ borrowerType, fullName: 'Svc Check', email: `svc-check${tag}@example.com` },
      ...{ residencyCountry: 'US', residencyState: 'CA' },
    },
  })
  const verify = async (...args: Parameters<typeof requestOf>): Promise<CheckAnswer> => {
    const answer = await createHttpIdentity(run.client).verify(requestOf(...args))
    references.set(args[0], answer.reference)
    return answer
  }
  const act: Act<CheckAnswer> = {
    ...{ call: 'checks', idOf, done: 'passed' },
    ask: (number, tag) => verify(number, tag === '+pending' ? '+slow' : tag),
  }
  await playDone(run, act)
  const business = (number: number) => verify(number, '', 'business')
  await playDone(run, { ...act, call: 'checks, kyb', ask: business })
  for (const [tag, status] of [
    ['+fail', 'failed'],
    ['+review', 'review'],
  ] as const) {
    await playTagged(run, { call: 'checks', ask: (number) => verify(number, tag) }, { tag, status })
  }
  await playPending(run, act)
  await playTampering(run, 'checks', (client, number) =>
    createHttpIdentity(client).verify(requestOf(number)),
  )
}
