import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { settleReceipt } from '../../src/domain/repayments/confirm-repayment.ts'
import { getRepayment, type Repayment } from '../../src/domain/repayments/repayments.ts'
import { findViolations } from '../support/lending/find-violations.ts'
import {
  addDrawnFacility,
  eventsOf,
  type Lending,
  openHousesInOneDatabase,
  read,
  repay,
  usd,
} from '../support/lending/lending.ts'
import { builtEntry } from '../support/process/built-service.ts'
import { processEnvironment } from '../support/process/entry.ts'
import { untilOneWaits } from '../support/stores/waiting-sessions.ts'

const openHouse = openHousesInOneDatabase()
const TRANSFER = 'mt103-killed'
const FIVE = usd(5_000_00n)

type Claim = { house: Lending; repayment: Repayment }

/** Two tenants report one transfer. */
async function reportTwice(): Promise<[Claim, Claim]> {
  // Both have drawn before either reports: a house settles what is due of all.
  const draw = async () => {
    const house = await openHouse()
    return { house, facility: await addDrawnFacility(house, usd(20_000_00n)) }
  }
  const drawn = [await draw(), await draw()] as const
  const reportOf = async ({ house, facility }: (typeof drawn)[number]): Promise<Claim> => ({
    house,
    repayment: await repay(house, facility.id, FIVE, `${TRANSFER} of ${house.tenantId}`),
  })
  return [await reportOf(drawn[0]), await reportOf(drawn[1])]
}

const settleIn = ({ house, repayment }: Claim) =>
  settleReceipt(house.context, house.tenantId, repayment, { transferId: TRANSFER, amount: FIVE })

const now = ({ house, repayment }: Claim) =>
  getRepayment(house.db, house.tenantId, repayment.facilityId, repayment.id)

/** A process that has claimed the transfer and not committed. */
async function claimInProcess({ house, repayment }: Claim) {
  const { id, facilityId, inquiry } = repayment
  const env = processEnvironment({
    DATABASE_URL: house.databaseUrl,
    TENANT_ID: house.tenantId,
    REPAYMENT: JSON.stringify({ id, facilityId, inquiry }),
    TRANSFER_ID: TRANSFER,
    NOW: house.now().toISOString(),
  })
  const child = fork(builtEntry('claim-child'), { env, execArgv: [] })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await Promise.race([once(child, 'message'), ended])
  expect(said).toBe('claimed')
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}

test('a process that is killed between claim and settlement leaves the transfer to the tenant that waited', async () => {
  const [first, second] = await reportTwice()
  const kill = await claimInProcess(first)
  const waiting = settleIn(second)
  await untilOneWaits(second.house.db)
  expect(await now(second)).toMatchObject({ status: 'REPORTED', contestedTransfer: undefined })
  await kill()
  await waiting
  expect(await now(second)).toMatchObject({ status: 'APPLIED', confirmed: FIVE })
  // Nothing of the killed one is left, and its work is done again.
  expect(await now(first)).toMatchObject({ status: 'REPORTED', contestedTransfer: undefined })
  await settleIn(first)
  expect(await now(first)).toMatchObject({ status: 'REPORTED', contestedTransfer: TRANSFER })
  expect(await eventsOf(first.house, first.repayment.id)).toEqual([])
  const principalOf = async ({ house, repayment }: Claim) =>
    (await read(house, repayment.facilityId)).debt.principalCents
  expect(await Promise.all([first, second].map(principalOf))).toEqual([20_000_00n, 15_000_00n])
  expect(await findViolations(second.house.db)).toEqual([])
  expect(await checkLedger(second.house.db)).toEqual([])
})
