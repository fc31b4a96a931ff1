import { randomUUID } from 'node:crypto'
import { actUntilStopped, attempt, rest, type Stage, until } from './actor.ts'
import type { Random } from './random.ts'

/** Borrowers come, are onboarded, borrow, repay and leave again, one after the other. */
export async function borrow(stage: Stage): Promise<void> {
  await actUntilStopped(stage, async () => {
    const borrowerId = await onboard(stage)
    if (borrowerId === undefined) return
    const facilityId = await apply(stage, borrowerId)
    if (facilityId === undefined) return
    await attempt(stage, () => draw(stage, facilityId, 40_000))
    const steps = stage.random.between(6, 20)
    for (let step = 0; step < steps && !stage.stop.aborted; step += 1) {
      await attempt(stage, () => useFacility(stage, borrowerId, facilityId))
      await rest(stage, 20, 100)
    }
    await attempt(stage, () => leave(stage, facilityId))
  })
}

async function onboard(stage: Stage): Promise<string | undefined> {
  const { client } = stage.tenant
  const documents = await client.listDocuments()
  // What the sandbox's compliance makes of a signer.
  const tag = stage.random.pick(['', '', '', '+slow', '+review'])
  const { id } = await client.createBorrower({
    type: 'individual',
    kyc_attested: true,
    residency_country: 'US',
    residency_state: 'CA',
  })
  for (const { contract_type, contract_version } of documents) {
    await attempt(stage, () =>
      client.submitSignature(id, {
        full_name: `Ada ${stage.canary}`,
        email: `${stage.canary}${tag}@example.com`,
        ip_address: '203.0.113.77',
        signed_at: new Date().toISOString(),
        contract_type,
        contract_version,
      }),
    )
  }
  const borrower = await until(
    stage,
    async () => {
      if (tag !== '') await attempt(stage, () => client.setSandboxCompliance(id, 'pass'))
      return await client.getBorrower(id)
    },
    ({ eligible }) => eligible,
  )
  return borrower?.id
}

async function apply(stage: Stage, borrowerId: string): Promise<string | undefined> {
  const { client } = stage.tenant
  // Enough at every price that the market has.
  await push(stage, borrowerId, '3')
  const limit = { amount: '45000', asset: 'USD' }
  const { id } = await client.createFacility({ borrower_id: borrowerId, limit })
  const facility = await until(
    stage,
    () => client.getFacility(id),
    ({ state }) => state !== 'PENDING',
  )
  return facility?.state === 'APPROVED' ? id : undefined
}

let lastAsOf = 0

/** Later than every one before, to the microsecond. */
function nextAsOf(): string {
  lastAsOf = Math.max(lastAsOf + 7, Date.now() * 1_000)
  const micros = String(lastAsOf % 1_000_000).padStart(6, '0')
  return new Date(Math.floor(lastAsOf / 1_000)).toISOString().replace(/\.\d+Z/, `.${micros}Z`)
}

async function push({ tenant }: Stage, borrowerId: string, btc: string) {
  const positions = [{ asset: 'BTC', quantity: btc }]
  return await tenant.client.putPortfolio(borrowerId, { as_of: nextAsOf(), positions })
}

/** Snapshots that overtake each other, one of them twice. */
async function pushOutOfOrder(stage: Stage, borrowerId: string): Promise<void> {
  const { client } = stage.tenant
  const instants = Array.from({ length: 4 }, nextAsOf)
  const shuffled = instants
    .flatMap((asOf, index) => (index === 2 ? [asOf, asOf] : [asOf]))
    .map((asOf) => ({ asOf, order: stage.random.next() }))
    .sort((a, b) => a.order - b.order)
  const btc = stage.random.pick(['0.4', '1', '3'])
  const positions = [{ asset: 'BTC', quantity: btc }]
  await Promise.all(
    shuffled.map(({ asOf }) =>
      attempt(stage, () => client.putPortfolio(borrowerId, { as_of: asOf, positions })),
    ),
  )
}

async function useFacility(stage: Stage, borrowerId: string, facilityId: string): Promise<void> {
  const { random, tenant } = stage
  const { client } = tenant
  const acts = ['draw', 'draw', 'repay', 'repay', 'push', 'race', 'burst', 'read', 'pry'] as const
  switch (random.pick([...acts, 'hold', 'return', 'correct', 'amend'] as const)) {
    case 'draw':
      return await draw(stage, facilityId, 5_000)
    case 'repay':
      return await repay(stage, facilityId)
    case 'push':
      await push(stage, borrowerId, random.pick(['0.3', '0.6', '3']))
      return
    case 'race':
      return await pushOutOfOrder(stage, borrowerId)
    case 'burst':
      return await burst(stage, facilityId)
    case 'read':
      await client.getCollateral(facilityId)
      await client.listDraws(facilityId)
      return
    case 'pry':
      return await pry(stage)
    case 'hold':
      return await hold(stage, facilityId)
    case 'return':
      return await bringBack(stage, facilityId)
    case 'correct':
      // A debt may be smaller than its correction, and an earlier amendment may still wait.
      await attempt(stage, () => correct(stage, facilityId), 'validation_failed')
      return
    case 'amend': {
      const rate = (random.between(50_000, 150_000) / 1_000_000).toFixed(6)
      const amend = () => client.amendSandboxFacility(facilityId, { rate })
      await attempt(stage, amend, 'validation_failed')
    }
  }
}

const amountUpTo = (random: Random, dollars: number) =>
  (random.between(100, dollars * 100) / 100).toFixed(2)

async function draw({ random, tenant }: Stage, facilityId: string, most: number): Promise<void> {
  const asset = random.pick(['USD', 'USDC'] as const)
  const amount = amountUpTo(random, most)
  await tenant.client.requestDraw(facilityId, { amount, asset, destination: 'account-1' })
}

async function repay(stage: Stage, facilityId: string): Promise<void> {
  const { random, tenant } = stage
  const amount = amountUpTo(random, 10_000)
  const asset = random.pick(['USD', 'USDC'] as const)
  const { id } = await tenant.client.createRepayment(facilityId, { amount, asset })
  if (random.next() < 0.1) return
  if (random.next() < 0.1) {
    await tenant.client.reportExecution(facilityId, id, { status: 'failed' })
    return
  }
  const delivered = { amount, asset }
  const report = { status: 'completed', delivered, reference: `wire-${randomUUID()}` } as const
  await tenant.client.reportExecution(facilityId, id, report)
}

/** Much at once on one facility, and one transfer reported for two repayments. */
async function burst(stage: Stage, facilityId: string): Promise<void> {
  const { client } = stage.tenant
  const amount = { amount: '25.00', asset: 'USD' } as const
  const reference = `wire-${randomUUID()}`
  const claim = async () => {
    const { id } = await client.createRepayment(facilityId, amount)
    const report = { status: 'completed', delivered: amount, reference } as const
    await client.reportExecution(facilityId, id, report)
  }
  const together = [
    claim,
    claim,
    ...Array.from({ length: 4 }, () => () => draw(stage, facilityId, 20_000)),
  ]
  await Promise.all(together.map((step) => attempt(stage, step)))
}

/** Whatever is under way meanwhile is recalled. */
async function hold(stage: Stage, facilityId: string): Promise<void> {
  const { client } = stage.tenant
  await client.setSandboxHold(facilityId, true)
  await rest(stage, 20, 400)
  await client.setSandboxHold(facilityId, false)
}

/** A payment of the facility, of any age and state, is taken back by the bank. */
async function bringBack({ random, tenant }: Stage, facilityId: string): Promise<void> {
  const { client } = tenant
  const isDraw = random.next() < 0.3
  const list = isDraw ? client.listDraws(facilityId) : client.listRepayments(facilityId)
  const { items } = await list
  if (items.length === 0) return
  const { id } = random.pick<{ id: string }>(items)
  const code = random.pick(['recalled', 'insufficient_funds'])
  await client.returnSandboxPayment(isDraw ? { draw_id: id, code } : { repayment_id: id, code })
}

async function correct({ random, tenant }: Stage, facilityId: string): Promise<void> {
  const { client } = tenant
  const amount = { amount: amountUpTo(random, 20), asset: 'USD' } as const
  const { created_at: from } = await client.getFacility(facilityId)
  const { correction_id: made } = await client.correctSandboxFacility(
    facilityId,
    random.pick([
      { kind: 'credit', amount },
      { kind: 'rate', rate: '0.05', from },
      { kind: 'forbearance', until: new Date(Date.now() + 2_000).toISOString() },
    ] as const),
  )
  if (random.next() < 0.3) {
    await client.correctSandboxFacility(facilityId, { kind: 'undo', correction_id: made })
  }
}

/** Requests what belongs to another tenant: it must not be found. */
async function pry(stage: Stage): Promise<void> {
  const { random, tenant, others, complain } = stage
  const victim = others.length > 0 ? random.pick(others) : undefined
  const ids = [...(victim?.seen ?? [])].filter((id) => /^(bor|fac|whk|evt)_/.test(id))
  if (ids.length === 0) return
  const id = random.pick(ids)
  const paths = { bor: 'borrowers', fac: 'facilities', whk: 'webhooks', evt: 'events' }
  const path = `/v1/${paths[id.slice(0, 3) as keyof typeof paths]}/${id}`
  const answer = await attempt(stage, () => tenant.client.request('GET', path))
  if (answer !== undefined) complain(`${tenant.name} was shown ${id} of ${victim?.name}`)
}

/** Pays everything back, a little more than is owed, and closes. */
async function leave(stage: Stage, facilityId: string): Promise<void> {
  const { client } = stage.tenant
  const { outstanding } = await client.getFacility(facilityId)
  if (Number(outstanding.total) > 0) {
    const amount = (Number(outstanding.total) + 5).toFixed(2)
    const { id } = await client.createRepayment(facilityId, { amount, asset: 'USD' })
    const delivered = { amount, asset: 'USD' } as const
    const report = { status: 'completed', delivered, reference: `wire-${randomUUID()}` } as const
    await client.reportExecution(facilityId, id, report)
    await until(
      stage,
      () => client.getRepayment(facilityId, id),
      ({ status }) => status === 'APPLIED' || status === 'FAILED',
    )
  }
  await client.closeFacility(facilityId)
}
