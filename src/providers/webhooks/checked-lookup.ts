import { isIP, type LookupFunction } from 'node:net'
import type { AddressCheck } from '../../domain/webhooks/address-policy.ts'
import type { ResolveHost } from '../../domain/webhooks/webhook-url.ts'
import { DeliveryFailure } from './delivery-failure.ts'

/** Checks a name's addresses in the connection's own lookup, so a checked address is the one used;
 * one refused address refuses all. Literals skip the lookup: check them before. */
export function createCheckedLookup(isAllowed: AddressCheck, resolve: ResolveHost): LookupFunction {
  const check = async (hostname: string) => {
    const addresses = await resolve(hostname).catch((cause) => {
      throw new DeliveryFailure('dns', cause)
    })
    if (addresses.length === 0) throw new DeliveryFailure('dns')
    if (!addresses.every(isAllowed)) throw new DeliveryFailure('address_not_allowed')
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  return (hostname, _options, done) => {
    check(hostname).then(
      (addresses) => done(null, addresses),
      (error) => done(error, []),
    )
  }
}
