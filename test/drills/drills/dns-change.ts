import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDnsServer } from '../../support/servers/dns-server.ts'
import type { Keep } from '../../support/world/keep.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic, findMissingRoot } from '../drill.ts'
import { openStack } from '../world/stack.ts'

const HOST = 'hooks.drill'

const FOLLOWS_WITHIN_MS = 60_000

/** Each process has an /etc/resolv.conf of its own. */
export const dnsChange: Drill = {
  name: 'dns-change',
  title: "a receiver's name gets another address, then another name server takes over",
  aim: { failures: 0 },
  findObstacle: findMissingRoot,
  async run(stage) {
    const { keep } = stage
    const first = await startNameServer(keep)
    const file = join(keep.folder, 'resolv.conf')
    // Written in place: a new file would not show below the mount.
    const nameServer = ({ address }: NameServer) => writeFileSync(file, `nameserver ${address}\n`)
    nameServer(first)
    const mount = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
    const launch = () => ['unshare', '--mount', 'sh', '-c', mount, file]
    const stores = await startStores(keep, { settings: CROWDED })
    const stack = await openStack(keep, stores, { launch, receiverHost: HOST })
    return await drillUnderTraffic(stage, stack, async ({ receivers }) => {
      const port = Number(new URL(receivers.urlOf('/')).port)
      const moved = await startForwarder(keep, port, '127.0.0.2')
      first.setAnswer({ addresses: ['127.0.0.2'] })
      const problems = await follows('the new address', () => moved.connections() > 0)
      first.setAnswer({ silent: true })
      await first.untilAsked()
      const second = await startNameServer(keep)
      nameServer(second)
      await second.untilAsked()
      const before = receivers.received.length
      problems.push(
        ...(await follows('the new name server', () => receivers.received.length > before)),
      )
      const webhooks = await stack.db.selectFrom('webhooks').select('state').execute()
      if (webhooks.some(({ state }) => state !== 'active')) problems.push('a webhook was disabled')
      return problems
    })
  },
}

type NameServer = Awaited<ReturnType<typeof startNameServer>>

async function startNameServer(keep: Keep) {
  const answers: [{ addresses?: string[]; silent?: boolean }] = [{ addresses: ['127.0.0.1'] }]
  const server = keep.use(await startDnsServer({ [HOST]: answers }))
  return {
    address: server.address,
    setAnswer(answer: (typeof answers)[0]) {
      answers[0] = answer
    },
    async untilAsked() {
      const before = server.lookups(HOST, 'A')
      while (server.lookups(HOST, 'A') === before) await pause(50)
    },
  }
}

/** The receivers, at another address of this machine. */
async function startForwarder(keep: Keep, port: number, host: string) {
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const target = connect(port, '127.0.0.1')
    client.pipe(target).pipe(client)
    client.on('error', () => target.destroy()).on('close', () => target.destroy())
    target.on('error', () => client.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  keep.defer(() => server.close())
  return { connections: () => connections }
}

async function follows(what: string, isFollowed: () => boolean): Promise<string[]> {
  for (const until = performance.now() + FOLLOWS_WITHIN_MS; !isFollowed(); await pause(50)) {
    if (performance.now() > until) return [`deliveries do not follow to ${what}`]
  }
  return []
}
