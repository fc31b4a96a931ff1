import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressCheck, AddressPolicy } from '../../domain/webhooks/address-policy.ts'
import type { ResolveHost } from '../../domain/webhooks/webhook-url.ts'
import { connectReason, DeliveryFailure } from './delivery-failure.ts'

type CheckedConnectorOptions = {
  policy: AddressPolicy
  resolve: ResolveHost
  /** For name, connection and handshake together; checked about twice a second. */
  timeoutMs: number
  /** Certificates (PEM) trusted instead of the built-in authorities. */
  tlsCa?: string
}

/**
 * Connects only where `policy` allows. The addresses of a name are checked inside the connection's
 * own lookup, so what was checked is what is connected to, and one refused address refuses them all.
 * A literal never reaches the lookup, so it is checked before.
 */
export function createCheckedConnector(options: CheckedConnectorOptions): buildConnector.connector {
  const { policy, resolve, timeoutMs, tlsCa } = options
  // A lookup does not learn the port, so each check has a connector of its own: there are two.
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
      // Like every other outcome, not before this call has returned.
      queueMicrotask(() => done(new DeliveryFailure('address_not_allowed'), null))
      return
    }
    connectorOf(isAllowed)(target, (error, socket) => {
      if (error !== null) {
        done(new DeliveryFailure(connectReason(error, target.protocol), error), null)
        return
      }
      // A TLS error after the handshake leaves the socket open, and the client waits for its end.
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
