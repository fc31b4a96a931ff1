import type { Answer, Send } from '../../support/world/signed-sender.ts'
import { pace } from '../bench.ts'
import type { CrashDay, CrashFacility } from './crash-day-data.ts'

const PER_SECOND = 100

export type CrashKind = 'read' | 'money' | 'push'
export type CrashAnswer = { kind: CrashKind; ms: number; at: number }

export type CrashLoad = {
  answers: CrashAnswer[]
  /** Answers that are no 2xx, by kind and what they say. */
  refused: Map<string, number>
  stop(): Promise<void>
}

/**
 * Sends 100 requests a second, whether or not those before have been answered: of ten, six read
 * facilities of every sort, two create or report a repayment, one asks for a draw and one pushes a
 * portfolio, each of another tenant.
 */
export function startCrashLoad(send: Send, day: CrashDay): CrashLoad {
  const answers: CrashAnswer[] = []
  const refused = new Map<string, number>()
  const announced: Announced[] = []
  const note = async (kind: CrashKind, sending: Promise<Answer>): Promise<Answer> => {
    const answer = await sending.catch((error: unknown) => {
      return { status: 0, body: String(error), ms: 0 }
    })
    if (answer.status >= 200 && answer.status < 300) {
      answers.push({ kind, ms: answer.ms, at: Date.now() })
    } else {
      const reason = `${kind} ${answer.status} ${/"code":"(\w+)"/.exec(answer.body)?.[1] ?? answer.body}`
      refused.set(reason, (refused.get(reason) ?? 0) + 1)
    }
    return answer
  }
  let isStopping = false
  const stage = { send, day, note, announced }
  const playing = pace(
    PER_SECOND,
    () => isStopping,
    (at) => sendOne(stage, at),
  )
  return {
    answers,
    refused,
    async stop() {
      isStopping = true
      await playing
    },
  }
}

type Announced = { facility: CrashFacility; target: string; reference: string }
type Stage = {
  send: Send
  day: CrashDay
  note(kind: CrashKind, sending: Promise<Answer>): Promise<Answer>
  announced: Announced[]
}

async function sendOne(stage: Stage, at: number): Promise<unknown> {
  const { send, day, note } = stage
  const any = pick(day.all)
  const healthy = pick(day.healthy)
  const target = `/v1/facilities/${any.facilityId}`
  switch (at % 10) {
    case 0:
    case 1:
      return await note('read', send(any.keyId, 'GET', target))
    case 2:
      return await note('read', send(any.keyId, 'GET', `/v1/borrowers/${any.borrowerId}`))
    case 3:
      return await note('read', send(any.keyId, 'GET', `${target}/margin-warnings`))
    case 4:
    case 5: {
      const collateral = `/v1/facilities/${healthy.facilityId}/collateral`
      return await note('read', send(healthy.keyId, 'GET', collateral))
    }
    case 6:
      return await announce(stage, healthy)
    case 7:
      return await report(stage)
    case 8:
      return await note('money', requestDraw(send, healthy))
    default:
      return await note('push', push(send, healthy))
  }
}

async function announce({ send, note, announced }: Stage, facility: CrashFacility): Promise<void> {
  const target = `/v1/facilities/${facility.facilityId}/repayments`
  const { status, body } = await note('money', send(facility.keyId, 'POST', target, TEN_DOLLARS))
  if (status !== 201) return
  const { id } = JSON.parse(body)
  announced.push({ facility, target: `${target}/${id}/execution`, reference: id })
}

async function report({ send, note, announced }: Stage): Promise<void> {
  const next = announced.shift()
  if (!next) return
  const report = { status: 'completed', delivered: TEN_DOLLARS, reference: next.reference }
  await note('money', send(next.facility.keyId, 'POST', next.target, report))
}

function requestDraw(send: Send, { keyId, facilityId }: CrashFacility): Promise<Answer> {
  const draw = { ...TEN_DOLLARS, destination: 'account' }
  return send(keyId, 'POST', `/v1/facilities/${facilityId}/draws`, draw)
}

function push(send: Send, { keyId, borrowerId }: CrashFacility): Promise<Answer> {
  const portfolio = {
    as_of: new Date().toISOString(),
    positions: [{ asset: 'BTC', quantity: '1' }],
  }
  return send(keyId, 'PUT', `/v1/borrowers/${borrowerId}/portfolio`, portfolio)
}

const TEN_DOLLARS = { amount: '10.00', asset: 'USD' }

function pick<T>(among: readonly T[]): T {
  const one = among[Math.floor(Math.random() * among.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}
