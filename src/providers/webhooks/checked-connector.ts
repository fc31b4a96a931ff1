import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressCheck, AddressPolicy } from '../../domain/webhooks/address-policy.ts'
import type { ResolveHost } from '../../domain/webhooks/webhook-url.ts'
import { connectReason, DeliveryFailure } from './delivery-failure.ts'

type CheckedConnectorOptions = {
  policy: AddressPolicy
  resolve: ResolveHost
  /** Name, connection and handshake together; checked about twice a second. */
  timeoutMs: number
  tlsCa?: string
}

/** Checks a name's addresses in the connection's own lookup, so a checked address is the one used;
 * one refused address refuses all. A literal skips the lookup and is checked first. */
export function createCheckedConnector(options: CheckedConnectorOptions): buildConnector.connector {
  const { policy, resolve, timeoutMs, tlsCa } = options
  // A lookup does not know the port, so each of the two checks has its own connector.
  const connectors = new Map<AddressCheck, buildConnector.connector>()
  const connectorOf = (isAllowed: AddressCheck) => {
    const known = connectors.get(isAllowed)
    if (known) return known
    const connector = buildConnector({
      lookup: createCheckedLookup(isAllowed, resolve),
      autoSelectFamily: true, // Also what makes Node ask the lookup for all addresses.
      allowH2: false,
      rejectUnauthorized: true,
      ...(tlsCa === undefined ? {} : { ca: tlsCa }),
      timeout: timeoutMs,
    })
    connectors.set(isAllowed, connector)
    return connector
  }
  return (target, done) => {
    const isAllowed = policy.at(Number(target.port) || (target.protocol === 'https:' ? 443 : 80))
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      // As every outcome, after this call has returned.
      queueMicrotask(() => done(new DeliveryFailure('address_not_allowed'), null))
      return
    }
    connectorOf(isAllowed)(target, (error, socket) => {
      if (error !== null) {
        done(new DeliveryFailure(connectReason(error, target.protocol), error), null)
        return
      }
      // A TLS error after the handshake leaves the socket open.
      socket.on('error', () => socket.destroy())
      done(null, socket)
    })
  }
}

function createCheckedLookup(isAllowed: AddressCheck, resolve: ResolveHost): LookupFunction {
  const check = async (hostname: string) => {
    const addresses = await resolve(hostname).catch((cause) => {
      throw new DeliveryFailure('dns', cause)
    })
    if (addresses.length === 0) throw new DeliveryFailure('dns')
    if (!addresses.every(isAllowed)) {
      throw new DeliveryFailure('address_not_allowed')
    }
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  return (hostname, _options, done) => {
    check(hostname).then(
      (addresses) => done(null, addresses),
      (error) => done(error, []),
    )
  }
}
