import { expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { listProcesses, reportProcess } from '../../src/domain/operations/processes.ts'
import { startReports } from '../../src/process/report-process.ts'
import { apiForFile } from '../support/api/api.ts'
import { waitFor } from '../support/process/patience.ts'

const api = apiForFile()

test('a process reports its version and keys, and is gone when it ends in order', async () => {
  const reports = startReports(api.resources)
  const listed = () => listProcesses(api.db, new Date())
  await waitFor(async () => expect(await listed()).toHaveLength(1))
  const [process] = await listed()
  expect(process).toMatchObject({
    ...{ kind: 'api', isSilent: false, version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    report: { schema: expect.stringMatching(/^\d{4}-/), keyIds: [expect.any(String)] },
  })
  expect(JSON.stringify(process)).not.toContain(
    api.resources.config.encryptionKeys[0]?.bytes.toString('base64'),
  )
  await reports.end()
  expect(await listed()).toEqual([])
})

test('a process whose clock is ahead of the database shows by how much', async () => {
  const clock = () => addMs(new Date(), 90_000)
  const { metrics } = api.resources
  const reports = startReports({ ...api.resources, clock })
  const read = async () => (await metrics.clockOffset.get()).values[0]?.value ?? 0
  await waitFor(async () => expect(await read()).toBeGreaterThan(89))
  expect(await read()).toBeLessThan(91)
  await reports.end()
})

test('a process that was killed is forgotten an hour after its last report', async () => {
  const at = new Date()
  const name = (processId: string) => ({
    ...{ processId, kind: 'worker' as const, host: 'w1', version: '1.0.0', startedAt: at },
  })
  const report = {
    ...{ schema: '', keyIds: [], redis: 'ok' as const, providers: [] },
    connections: { used: 0, idle: 0, waiting: 0 },
  }
  const [killed, living] = [crypto.randomUUID(), crypto.randomUUID()]
  await reportProcess(api.db, name(killed), report, at)
  await reportProcess(api.db, name(living), report, addMs(at, HOUR_MS))
  expect(await listProcesses(api.db, at)).toHaveLength(2)
  await reportProcess(api.db, name(living), report, addMs(at, HOUR_MS + 1))
  const left = await listProcesses(api.db, addMs(at, HOUR_MS + 1))
  expect(left.map(({ processId }) => processId)).toEqual([living])
})
