import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { builtEntry } from '../support/process/built-service.ts'
import { testEnvironment } from '../support/process/config.ts'
import { processEnvironment } from '../support/process/entry.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

const PATIENT = { timeout: 60_000, interval: 50 }

/** More lines than a pipe and the process together keep. */
const REQUESTS = 6_000
const SIDE_BY_SIDE = 30

test.each(['a pipe that nobody reads', '/dev/full'])(
  'an API whose log goes to %s answers, counts the lines that are lost, and ends at SIGTERM',
  async (output) => {
    await using database = await createTestDatabase()
    const [port = 0, metricsPort = 0] = await findFreePorts(2)
    const stores = { databaseUrl: database.appUrl, redisUrl: await testRedisUrl() }
    const ports = { HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: String(metricsPort) }
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [builtEntry('server')], {
      env: processEnvironment(testEnvironment(stores, { ...ports, LOG_LEVEL: 'info' })),
      stdio: ['ignore', output === '/dev/full' ? full : 'pipe', 'inherit'],
    })
    child.stdout?.pause()
    const ended = once(child, 'exit')
    const inner = `http://127.0.0.1:${metricsPort}`
    await waitFor(async () => expect((await fetch(`${inner}/readyz`)).status).toBe(200), PATIENT)
    let sent = 0
    const sendOneByOne = async () => {
      while (sent++ < REQUESTS) {
        const answer = await fetch(`http://127.0.0.1:${port}/v1/${'x'.repeat(400)}`)
        await answer.arrayBuffer()
        expect([401, 429]).toContain(answer.status)
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, sendOneByOne))
    const metrics = await (await fetch(`${inner}/metrics`)).text()
    expect(Number(/^svc_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    closeSync(full)
  },
  LONG_SCENARIO_MS,
)
