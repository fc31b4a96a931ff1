import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../../faults/actors/random.ts'
import { openTenant, type Tenant } from '../../faults/actors/tenant.ts'
import { startVendors } from '../../support/servers/vendor-server.ts'
import { CROWDED, startStores } from '../../support/world/stores.ts'
import { type Drill, drillUnderTraffic } from '../drill.ts'
import { openStack, type Stack } from '../world/stack.ts'

/** Of a signer whom the vendor answers with 500. */
const POISON = 'Robert Tables'
/** More than open a breaker. */
const POISONED = 12
const OTHERS = 12

const WITHIN_MS = 15_000
const MENDED_WITHIN_MS = 60_000

export const poisonedBreaker: Drill = {
  name: 'poisoned-breaker',
  title: "one tenant's borrowers make the KYC vendor answer 500, another's are checked meanwhile",
  aim: { failures: 0 },
  async run(stage) {
    const { keep, say } = stage
    const vendors = keep.use(await startVendors())
    const ofCompliance = Object.entries(vendors.environment).filter(([name]) =>
      /^(COMPLIANCE_|KYC_|AML_|PROVIDER_HTTP_)/.test(name),
    )
    const stores = await startStores(keep, { settings: CROWDED })
    const stack = await openStack(keep, stores, { settings: Object.fromEntries(ofCompliance) })
    return await drillUnderTraffic(stage, stack, async (traffic) => {
      vendors.badNames.add(POISON)
      const random = createRandom('poison')
      const poisoner = await openTenant(stack, traffic.log, 'poisoner', random)
      traffic.tenants.push(poisoner)
      const poisoned = await onboardAll(poisoner, POISON, POISONED)
      await untilFailing(stack)
      const waits: number[] = []
      for (let number = 0; number < OTHERS; number += 1) {
        const began = performance.now()
        const [id = ''] = await onboardAll(traffic.tenant, 'Ada Borrower', 1)
        while (!(await traffic.tenant.client.getBorrower(id)).eligible) await pause(100)
        waits.push(Math.round(performance.now() - began))
      }
      const longest = Math.max(...waits)
      say(`the other tenant's borrowers were eligible after ${longest} ms at most`)
      vendors.badNames.clear()
      const [origin = ''] = stack.origins
      const calls = vendors.calls.filter(({ body }) => body.subject?.full_name === POISON)
      for (const id of new Set(calls.map((call) => call.id))) {
        await vendors.callBack(origin, 'kyc', { tenantId: poisoner.id, callId: id })
      }
      return [
        ...vendors.complaints,
        ...(longest > WITHIN_MS ? [`another tenant's borrower waited for ${longest} ms`] : []),
        ...(await findIneligible(poisoner, poisoned)),
      ]
    })
  },
}

async function onboardAll({ client }: Tenant, fullName: string, count: number): Promise<string[]> {
  const onboard = async () => {
    const { id } = await client.createBorrower({
      ...({ type: 'individual', kyc_attested: true } as const),
      ...{ residency_country: 'US', residency_state: 'CA' },
    })
    for (const { contract_type, contract_version } of await client.listDocuments()) {
      await client.submitSignature(id, {
        ...{ full_name: fullName, email: 'ada@example.com', ip_address: '203.0.113.9' },
        ...{ signed_at: new Date().toISOString(), contract_type, contract_version },
      })
    }
    return id
  }
  return await Promise.all(Array.from({ length: count }, onboard))
}

/** Until the vendor has failed more often than a breaker takes. */
async function untilFailing({ workers }: Stack): Promise<void> {
  for (;;) {
    const texts = await Promise.all(
      workers.map(async ({ inner }) => await (await fetch(`${inner}/metrics`)).text()),
    )
    const counts = texts.map((text) =>
      Number(
        /^svc_provider_calls_total\{[^}]*outcome="status_5xx"[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0,
      ),
    )
    if (counts.reduce((one, other) => one + other) >= POISONED) return
    await pause(100)
  }
}

async function findIneligible({ client }: Tenant, ids: readonly string[]): Promise<string[]> {
  const until = performance.now() + MENDED_WITHIN_MS
  for (const id of ids) {
    while (!(await client.getBorrower(id)).eligible) {
      if (performance.now() > until) return [`${id} is not eligible after the vendor was mended`]
      await pause(100)
    }
  }
  return []
}
