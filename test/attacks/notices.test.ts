// What was done to a person's account, of which someone made more than a page shows.
import { expect, test } from 'vitest'
import { addMs } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { createAuthenticator } from '../support/api/authenticator.ts'
import { doorsForFile, POST } from '../support/api/doors.ts'
import { changeRoleRecorded } from '../support/people.ts'

let now = new Date()
const doors = doorsForFile(() => now)
const { api, addOperator } = doors

type Noted = { at: string }

/** Changes of the role of an operator, whose page shows each. */
async function makeNotices(operatorId: string, count: number, apartMs: number) {
  for (let made = 0; made < count; made += 1) {
    now = addMs(now, apartMs)
    const role = made % 2 === 0 ? 'risk' : 'admin'
    await inTransaction(api.db, (tx) => changeRoleRecorded(tx, operatorId, role, now))
  }
}

test('the newest are shown first with the count of the rest, which is read page by page', async () => {
  await addOperator()
  const { operator, desk } = await addOperator()
  await makeNotices(operator.id, 44, 1_000)
  const session = (await desk.send('/session')).json()
  expect(session.notices[0].at).toBe(now.toISOString())
  expect([session.notices.length, session.notices_more]).toEqual([20, 24])
  const read: Noted[] = [...session.notices]
  for (const more of [4, 0]) {
    const path = `/session/notices?before=${read.at(-1)?.at}`
    const page = (await desk.send(path)).json()
    expect(page.notices_more).toBe(more)
    read.push(...page.notices)
  }
  expect(read).toHaveLength(44)
  const instants = read.map(({ at }) => Date.parse(at))
  expect(instants).toEqual(instants.toSorted((a, b) => b - a))
  const marked = await desk.send('/session/notices/seen', { ...POST, body: { until: read[0]?.at } })
  expect(marked.status).toBe(204)
  const after = (await desk.send('/session')).json()
  expect([after.notices, after.notices_more]).toEqual([[], 0])
})

test('those of one instant are on one page', async () => {
  await addOperator()
  const { operator, desk } = await addOperator()
  await makeNotices(operator.id, 3, 1_000)
  await makeNotices(operator.id, 25, 0)
  const { notices, notices_more: more } = (await desk.send('/session')).json()
  expect([notices.length, more]).toEqual([26, 2])
  const path = `/session/notices?before=${notices.at(-1).at}`
  expect((await desk.send(path)).json()).toMatchObject({ notices_more: 0 })
})

test('a person of a tenant reads those of their own account alone', async () => {
  const { addTenantPerson, addConsolePasskey, confirmConsole } = doors
  const { browser, authenticator } = await addTenantPerson(api.tenant.id)
  now = addMs(now, 1_000)
  await confirmConsole(browser, authenticator)
  const second = createAuthenticator(api.resources.config.console.origin)
  expect((await addConsolePasskey(browser, second)).status).toBe(201)
  const page = (await browser.send('GET', '/console/api/session/notices')).json()
  expect(page).toMatchObject({ notices: [{ action: 'addPasskey' }], notices_more: 0 })
})
