import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { LENDER } from '../../../src/db/sql/people-tables.ts'
import { readOperatorActions } from '../../../src/domain/operators/actions.ts'
import {
  actChangeRole,
  actCreateToken,
  actInvite,
  actRemove,
  actRevokeToken,
} from '../../../src/domain/operators/people-acts.ts'
import type { OperatorRole } from '../../../src/domain/operators/roles.ts'
import { findTokenHolder, LONGEST_TOKEN_DAYS } from '../../../src/domain/operators/tokens.ts'
import { findPerson, listPeople } from '../../../src/domain/people/people.ts'
import { databaseForFile } from '../../support/stores/database.ts'
import { openDesk, SYSTEM } from './desk.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

const database = databaseForFile()
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  desk = openDesk({ db: database.db, now: () => NOW })
})
beforeEach(async () => {
  await database.db.updateTable('operators').set({ removed_at: NOW }).execute()
})

const invite = (name: string, role: OperatorRole) =>
  desk.act(SYSTEM, ({ tx }) =>
    actInvite(tx, { email: `${name}@lender.example`, name, role }, { now: NOW, isTrusted: true }),
  )
const remove = (name: string) =>
  desk.act(SYSTEM, ({ tx }) => actRemove(tx, `${name}@lender.example`, NOW))
const listed = async () =>
  (await listPeople(database.db, LENDER)).map(({ email, role }) => `${email.split('@')[0]} ${role}`)

describe('an operator', () => {
  test('is one for each address, and invited again has the new role', async () => {
    const first = await invite('Grace', 'viewer')
    const again = await invite('grace', 'risk')
    expect(again.person.id).toBe(first.person.id)
    expect(await listed()).toEqual(['grace risk'])
    expect(await findPerson(database.db, LENDER, 'GRACE@lender.example')).toMatchObject({
      role: 'risk',
    })
    const [act] = await desk.actionsOn(first.person.id)
    expect(act).toMatchObject({
      ...{ actor: 'os:tester', action: 'operators.invite' },
      ...{ before: { role: 'viewer' }, after: { role: 'risk' } },
    })
  })

  test('who is removed is none any more, and stays on record', async () => {
    await invite('ada', 'admin')
    const { person: operator } = await invite('leaver', 'admin')
    const acted = { kind: 'operator' as const, ...operator }
    await desk.act(acted, ({ tx }) => actChangeRole(tx, operator.id, 'admin', NOW))
    await remove('leaver')
    expect(await listed()).toEqual(['ada admin'])
    expect(await findPerson(database.db, LENDER, operator.email)).toBeUndefined()
    await expect(remove('leaver')).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      desk.act(SYSTEM, ({ tx }) => actChangeRole(tx, operator.id, 'risk', NOW)),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(await readOperatorActions(database.db, { actor: operator.email }, 9)).toMatchObject([
      { operatorId: operator.id, action: 'operators.change_role' },
    ])
  })

  test('who is the last admin among others neither goes nor loses the role, and the last of all may go', async () => {
    const { person: operator } = await invite('ada', 'admin')
    await invite('vera', 'viewer')
    for (const change of [
      () => remove('ada'),
      () => invite('ada', 'viewer'),
      () => desk.act(SYSTEM, ({ tx }) => actChangeRole(tx, operator.id, 'risk', NOW)),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'last_admin' })
    }
    await remove('vera')
    await remove('ada')
    expect(await listed()).toEqual([])
  })

  test('of two admins who remove each other at once, one stays', async () => {
    await invite('ada', 'admin')
    await invite('grace', 'admin')
    await invite('vera', 'viewer')
    await Promise.allSettled([remove('ada'), remove('grace')])
    expect((await listed()).filter((one) => one.endsWith('admin'))).toHaveLength(1)
  })
})

describe('a token', () => {
  const holderOf = async (token: string, now = NOW) =>
    (await findTokenHolder(database.db, token, now))?.operator.email
  async function addToken(days = 1) {
    const { person: operator } = await invite('ada', 'admin')
    const terms = { name: 'laptop', expiresAt: addMs(NOW, days * DAY_MS) }
    return await desk.act(SYSTEM, ({ tx }) => actCreateToken(tx, operator, terms, NOW))
  }

  test('acts as its operator until it expires, is revoked, or its operator removed', async () => {
    const [first, second] = [await addToken(), await addToken()]
    expect(await holderOf(first.token, addMs(NOW, DAY_MS - 1))).toBe('ada@lender.example')
    expect(await holderOf(first.token, addMs(NOW, DAY_MS))).toBeUndefined()
    const revoke = () => desk.act(SYSTEM, ({ tx }) => actRevokeToken(tx, first.id, NOW))
    await revoke()
    expect(await holderOf(first.token)).toBeUndefined()
    await expect(revoke()).rejects.toMatchObject({ code: 'not_found' })
    expect(await holderOf(second.token)).toBe('ada@lender.example')
    await remove('ada')
    expect(await holderOf(second.token)).toBeUndefined()
  })

  test('is nowhere in the database as it was given out', async () => {
    const { token } = await addToken()
    const stored = await inTransaction(database.db, async (tx) => [
      await tx.selectFrom('operator_tokens').selectAll().execute(),
      await tx.selectFrom('operator_actions').selectAll().execute(),
    ])
    const text = JSON.stringify(stored, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(text).toContain('laptop')
    expect(text).not.toContain(token.slice(4))
  })

  test.each([0, LONGEST_TOKEN_DAYS + 1])('that ends in %i days is not made', async (days) => {
    await expect(addToken(days)).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
