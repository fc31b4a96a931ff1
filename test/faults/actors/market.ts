import { actUntilStopped, rest, type Stage } from './actor.ts'

/** Prices fall and rise, time passes, and providers are slow or refuse now and then. */
export async function moveMarket(stage: Stage): Promise<void> {
  const { random, tenant } = stage
  const { client } = tenant
  await actUntilStopped(stage, async () => {
    switch (
      random.pick(['price', 'price', 'time', 'time', 'payments', 'custodian', 'source'] as const)
    ) {
      case 'price':
        await client.setSandboxPrice(
          'BTC',
          random.pick(['100000', '68000', '61000', '52000', null]),
        )
        break
      case 'time':
        await client.advanceSandboxClock(random.pick([61, 61, 120, 3_600, 40_000, 180_000]))
        break
      case 'payments':
        await client.setSandboxPayments(random.pick(['delay', 'fail']))
        break
      case 'custodian':
        await client.setSandboxCustodian(random.pick(['delay', 'delay', 'fail']))
        break
      case 'source':
        await client.setPortfolioSource(random.pick(['push', 'custodian']))
        break
    }
    await rest(stage, 100, 500)
  })
}
