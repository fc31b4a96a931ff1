import { setTimeout as pause } from 'node:timers/promises'
import { untilAnswering } from '../../support/world/service.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic } from '../drill.ts'
import { runCommand } from '../world/commands.ts'
import { newEncryptionKey, openStack, type Part, type Stack } from '../world/stack.ts'
import type { Traffic } from '../world/traffic.ts'
import { replaceApis, replaceWorkers } from './replacing.ts'

/** The first step is forgotten: the APIs encrypt with a key that the workers do not have. */
export const keyRotation: Drill = {
  name: 'key-rotation',
  title: 'the encryption key is rotated, and the workers get the new key too late',
  aim: { failures: 0 },
  async run(stage) {
    const stack = await openStack(stage.keep, await startStores(stage.keep, { settings: CROWDED }))
    const old = stack.settings.ENCRYPTION_KEYS
    const fresh = newEncryptionKey('k2')
    return await drillUnderTraffic(stage, stack, async (traffic) => {
      await replaceSecret(traffic)
      await useKeys(stack, [fresh, old], [replaceApis])
      await replaceSecret(traffic)
      await untilKeyIsMissed(stack.workers)
      const problems = await findFailures(stack)
      await useKeys(stack, [fresh, old], [replaceWorkers])
      await traffic.untilServed(40)
      const { code, output } = await runCommand(stack, ['encryption', 'rotate'], {})
      if (code !== 0) problems.push(`encryption rotate ended with ${code}: ${output}`)
      await useKeys(stack, [fresh], [replaceApis, replaceWorkers])
      return problems
    })
  },
}

async function replaceSecret({ tenant }: Traffic): Promise<void> {
  const secret = await tenant.client.createSigningSecret()
  tenant.secrets.push({ secret, at: Date.now() })
}

async function useKeys(
  stack: Stack,
  keys: readonly string[],
  replacements: readonly ((stack: Stack) => Promise<unknown>)[],
): Promise<void> {
  stack.settings.ENCRYPTION_KEYS = keys.join(',')
  for (const replace of replacements) await replace(stack)
}

/** What the alarm `EncryptionKeyMissing` watches. */
async function untilKeyIsMissed(workers: readonly Part[]): Promise<void> {
  for (;;) {
    for (const { inner } of workers) {
      await untilAnswering(inner)
      const metrics = await (await fetch(`${inner}/metrics`)).text()
      if (/^svc_delivery_secrets_shut_total\{[^}]*key_id="k2"[^}]*\} [1-9]/m.test(metrics)) return
    }
    await pause(100)
  }
}

/** A delivery that waits for its key has not failed. */
async function findFailures({ db }: Stack): Promise<string[]> {
  const failed = await db
    .selectFrom('deliveries')
    .select('event_id')
    .where('failures', '>', 0)
    .execute()
  return failed.map(({ event_id }) => `${event_id} counts a failure for a missing key`)
}
