import type { ChainedEvent } from '../../../src/client/resources/resources.ts'
import { verifyEventChain } from '../../../src/client/verify-chain.ts'
import type { Db } from '../../../src/db/database.ts'
import { isOptIn } from '../../../src/domain/events/event-types.ts'
import type { Received } from '../../faults/actors/receivers.ts'
import { type Instant, startPostgresProxy } from '../../support/stores/postgres-proxy.ts'
import { type Keep, openPart } from '../../support/world/keep.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, findLosses, type Stage } from '../drill.ts'
import { type Ran, runCommand } from '../world/commands.ts'
import { type CellsProxy, startCellsProxy } from '../world/proxies.ts'
import { findSender } from '../world/senders.ts'
import { newEncryptionKey, openStack, type Stack } from '../world/stack.ts'
import { type Measured, startTraffic, type Traffic } from '../world/traffic.ts'

/** As docs/cells.md has it. One tenant moves while the command is killed again and again, and a worker
 * with it; then one moves the other way, undisturbed. */
export const tenantMove: Drill = {
  name: 'tenant-move',
  title: 'two tenants move to the other cell under load, one though its move is killed three times',
  aim: { failures: 0, gapMs: 15_000 },
  note: 'but 503 for the tenant that moves',
  async run(stage) {
    const cells = await openCells(stage.keep)
    const { cutOff, smooth, stayer, sources } = await startTraffics(stage.keep, cells)
    const all = [cutOff, smooth, stayer]
    const untilServed = () => Promise.all(all.map((traffic) => traffic.untilServed(40)))
    await untilServed()
    const problems = await moveCutOff(cells, cutOff, stage)
    await untilServed()
    problems.push(...(await moveSmoothly(cells, smooth)))
    await untilServed()
    const measured = {
      cutOff: await cutOff.stop(),
      smooth: await smooth.stop(),
      stayer: await stayer.stop(),
    }
    const { longestGapMs } = measured.cutOff
    stage.say(`cut off three times, a move refused writes for ${seconds(longestGapMs)} s`)
    problems.push(
      ...(await findCellLosses(cells, { a: [stayer, smooth], b: [cutOff] }, stage)),
      ...(await findLateAttempts(cells.b.db, cutOff, sources)),
      ...(await findEventFaults(cutOff)),
      ...(await findEventFaults(smooth)),
    )
    return { measured: join(measured), problems }
  },
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1)

type Cells = { a: Stack; b: Stack; proxy: CellsProxy }

/** Two stacks that share the encryption key and nothing else, behind deploy/haproxy/cells.cfg. */
async function openCells(keep: Keep): Promise<Cells> {
  const encryptionKeys = newEncryptionKey('k1')
  const open = async (cell: 'a' | 'b') => {
    const part = openPart(keep, `cell-${cell}`)
    return await openStack(part, await startStores(part, { settings: CROWDED }), {
      cell,
      encryptionKeys,
    })
  }
  const [a, b] = await Promise.all([open('a'), open('b')])
  const [originA = '', originB = ''] = [...a.origins, ...b.origins]
  const proxy = await startCellsProxy(keep, { a: originA, b: originB })
  return { a: { ...a, origins: [proxy.origin] }, b: { ...b, origins: [proxy.origin] }, proxy }
}

/** `sources`: the deliveries to the first of the tenants that its first cell's workers have made. */
async function startTraffics(keep: Keep, { a, b }: Cells) {
  const sources = new Set<Received>()
  const onReceived = (entry: Received, socket: Parameters<typeof findSender>[0]) => {
    const pids = a.workers.map(({ child }) => child.identity.pid)
    if (findSender(socket, pids) !== undefined) sources.add(entry)
  }
  const [cutOff, smooth, stayer] = await Promise.all([
    startTraffic(keep, a, { everyMs: 60, onReceived }),
    startTraffic(keep, b, { everyMs: 60 }),
    startTraffic(keep, a, { everyMs: 60 }),
  ])
  return { cutOff, smooth, stayer, sources }
}

/** Of the copy, of its end, and of the last step: the first cell knows, the second serves not yet. */
const KILLED_AT: readonly Instant[] = [
  { after: /COPY .* FROM STDIN/, at: 'sent' },
  { after: /COPY .* FROM STDIN/, at: 'committed' },
  { after: /update "tenants" set "move"/, at: 'commit_held' },
]

async function moveCutOff(cells: Cells, { tenant }: Traffic, { say }: Stage): Promise<string[]> {
  const { a, b } = cells
  await using target = await startPostgresProxy(b.databaseUrl)
  const move = { tenantId: tenant.id, from: a, to: b, targetUrl: target.url }
  const problems: string[] = []
  for (const instant of KILLED_AT) {
    const { code, output } = await runMove(move, target.freezeAt(instant))
    if (code !== undefined)
      problems.push(`the move was not cut off, but ended with ${code}: ${output}`)
    target.goOn()
    if (instant === KILLED_AT[0]) await a.workers[0]?.kill()
  }
  a.workers[0] = await a.startWorker()
  problems.push(...(await end(cells.proxy, 'b', await runMove(move))))
  const { code, output } = await runCommand(a, ['tenants', 'forget', tenant.id], {})
  say(`its old cell has ${code === 0 ? 'forgotten' : 'kept'} it`)
  return code === 0 ? problems : [...problems, `tenants forget ended with ${code}: ${output}`]
}

async function moveSmoothly({ a, b, proxy }: Cells, { tenant }: Traffic): Promise<string[]> {
  const move = { tenantId: tenant.id, from: b, to: a, targetUrl: a.databaseUrl }
  const problems = await end(proxy, 'a', await runMove(move))
  const { code, output } = await runCommand(b, ['tenants', 'forget', tenant.id], {})
  return code === 0 ? problems : [...problems, `tenants forget ended with ${code}: ${output}`]
}

type Move = { tenantId: string; from: Stack; to: Stack; targetUrl: string }

async function runMove({ tenantId, from, to, targetUrl }: Move, killAt?: Promise<void>) {
  const { CELL: cell = '' } = to.settings
  return await runCommand(from, ['tenants', 'move', tenantId, '--to', cell, '--json'], {
    settings: {
      TARGET_DATABASE_URL: targetUrl,
      TARGET_ENCRYPTION_KEYS: to.settings.ENCRYPTION_KEYS,
    },
    ...(killAt && { killAt }),
  })
}

/** Sends the keys of the tenant to its cell. */
async function end(proxy: CellsProxy, cell: 'a' | 'b', { code, output }: Ran): Promise<string[]> {
  if (code !== 0) return [`the move ended with ${code}: ${output}`]
  for (const line of JSON.parse(output).map_lines) {
    const [keyId] = line.split(' ')
    await proxy.moveKey(keyId, cell)
  }
  return []
}

async function findCellLosses(
  { a, b }: Cells,
  traffics: { a: readonly Traffic[]; b: readonly Traffic[] },
  { say }: Stage,
): Promise<string[]> {
  const lossesOf = async (stack: Stack, all: readonly Traffic[]) => {
    const problems = await findLosses(stack, all, say)
    const { code, output } = await runCommand(stack, ['ledger', 'check'], {})
    return code === 0 ? problems : [...problems, `ledger check ended with ${code}: ${output}`]
  }
  return [...(await lossesOf(a, traffics.a)), ...(await lossesOf(b, traffics.b))]
}

/** From the instant at which its new cell serves the tenant, the old one posts nothing. */
async function findLateAttempts(
  target: Db,
  { tenant, receivers }: Traffic,
  sources: ReadonlySet<Received>,
): Promise<string[]> {
  const { ended_at: servedAt } = await target
    .selectFrom('tenant_moves')
    .select('ended_at')
    .where('tenant_id', '=', tenant.id)
    .where('direction', '=', 'in')
    .executeTakeFirstOrThrow()
  if (servedAt === null) return ['the new cell does not know that the tenant is there']
  const own = receivers.received.filter((entry) => !sources.has(entry))
  if (sources.size === 0 || own.length === 0) return ['a cell has delivered nothing']
  return [...sources]
    .filter(({ at }) => at > servedAt.getTime())
    .map(({ eventId }) => `the old cell posted ${eventId} after the move`)
}

/** Numbers without a gap, a chain that verifies, and each event acknowledged by the receiver. */
async function findEventFaults({ tenant, receivers }: Traffic): Promise<string[]> {
  const events: ChainedEvent[] = []
  for await (const event of tenant.client.listEvents({ limit: 500 })) events.push(event)
  const verdict = verifyEventChain(events)
  const arrived = new Set(
    receivers.received.filter(({ acknowledged }) => acknowledged).map(({ eventId }) => eventId),
  )
  const [first] = events
  return [
    ...(first?.sequence === 1 ? [] : [`the log begins with ${first?.sequence}`]),
    ...(verdict.ok ? [] : [`${verdict.reason} at event ${verdict.sequence}`]),
    ...events
      .filter(({ id, type }) => !isOptIn(type) && !arrived.has(id))
      .map(({ id }) => `${id} never arrived`),
  ]
}

type All = { cutOff: Measured; smooth: Measured; stayer: Measured }

/** All requests, and the gap of the undisturbed move. Only who moves is refused for it. */
function join({ cutOff, smooth, stayer }: All): Measured {
  const failures: Record<string, number> = { ...stayer.failures }
  for (const [kind, times] of [cutOff, smooth].flatMap((one) => Object.entries(one.failures))) {
    if (kind !== '503 tenant_moving') failures[kind] = (failures[kind] ?? 0) + times
  }
  const requests = cutOff.requests + smooth.requests + stayer.requests
  return { requests, failures, longestGapMs: smooth.longestGapMs }
}
