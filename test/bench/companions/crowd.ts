// A tenant that reads as fast as it may: a burst at once, then its rate.
import { createSender } from '../../support/world/signed-sender.ts'
import { pace } from '../bench.ts'
import { answerQuestions } from './answer-questions.ts'

export type CrowdQuestion = {
  port: number
  keyId: string
  privateKeyPem: string
  targets: readonly string[]
  burst: number
  perSecond: number
  seconds: number
}
/** By status, how many answers. */
export type CrowdAnswer = { statuses: Record<number, number> }

answerQuestions(async (question: CrowdQuestion): Promise<CrowdAnswer> => {
  await using cleanup = new AsyncDisposableStack()
  const { port, keyId, privateKeyPem, targets, burst, perSecond, seconds } = question
  const send = await createSender(privateKeyPem, port, cleanup)
  const statuses: Record<number, number> = {}
  const readOne = async (at: number) => {
    const { status } = await send(keyId, 'GET', targets[at % targets.length] ?? '')
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const first = Array.from({ length: burst }, (_, at) => readOne(at))
  const count = perSecond * seconds
  await pace(perSecond, (begun) => begun >= count, readOne)
  await Promise.all(first)
  return { statuses }
})
