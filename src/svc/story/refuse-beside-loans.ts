import type { Client } from '../../client/client.ts'
import { StoryError } from './story-error.ts'

/** A story changes the price of BTC and the clock of the whole tenant, and so its loans. */
export async function refuseBesideLoans(client: Client): Promise<void> {
  for (const state of ['APPROVED', 'CLOSING'] as const) {
    for await (const { id, outstanding } of client.listFacilities({ state, limit: 500 })) {
      const { total, reserved } = outstanding
      if (Number(total) === 0 && Number(reserved) === 0) continue
      const owes = Number(total) === 0 ? `has ${reserved} USD reserved` : `owes ${total} USD`
      throw new StoryError(
        `${id} ${owes}. A story sets the price of BTC and the clock of the whole tenant, and would change this loan: its collateral could be sold. Play it in a tenant of its own, or go on with --force.`,
      )
    }
  }
}
