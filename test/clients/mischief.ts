import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { ChainedEvent } from '../../src/client/resources/resources.ts'
import { deliveredBody } from '../../src/client/verify-chain.ts'

export type Receiver = AsyncDisposable & {
  /** 0 for one that was killed before it listened. */
  port: Promise<number>
  kill(): void
  isDead(): boolean
}

/** It can be killed from now on, also before it listens. */
export function startReceiver(
  [tool, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Receiver {
  const child: ChildProcess = spawn(tool, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = child.stdout ? createInterface({ input: child.stdout }) : undefined
  const listening = new Promise<string>((resolve) => lines?.once('line', resolve))
  const kill = () => void child.kill('SIGKILL')
  return {
    port: Promise.race([listening, ended]).then((line) => Number(line?.split(' ')[1] ?? 0)),
    kill,
    isDead: () => child.exitCode !== null || child.signalCode !== null || child.killed,
    async [Symbol.asyncDispose]() {
      kill()
      await ended
    },
  }
}

/** Posts what survives its own mischief; what is not answered with 204 is posted again, like a retry. */
export function createSender(secret: string, random: () => number) {
  const sending = new Set<Promise<void>>()

  async function post(body: string, { port }: Receiver): Promise<void> {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const hex = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    await fetch(`http://127.0.0.1:${await port}/`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        'x-svc-webhook-timestamp': timestamp,
        'x-svc-webhook-signature': `sha256=${hex}`,
      },
      signal: AbortSignal.timeout(5_000),
    })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined)
  }

  return {
    deliver(events: readonly ChainedEvent[], receivers: readonly (Receiver | undefined)[]) {
      const up = receivers.filter((one) => one !== undefined)
      const posts = events
        .filter(() => random() > 0.2)
        .flatMap((event) => (random() < 0.3 ? [event, event] : [event]))
        .map((event) => ({ event, place: random() }))
        .sort((left, right) => left.place - right.place)
      for (const { event } of posts) {
        const receiver = up[Math.floor(random() * up.length)]
        if (!receiver) continue
        const posted = post(deliveredBody(event), receiver).finally(() => sending.delete(posted))
        sending.add(posted)
      }
    },
    async settle() {
      await Promise.all(sending)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sending)
    },
  }
}
