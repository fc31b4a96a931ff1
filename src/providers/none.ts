import type { Custodian, Payments } from '../domain/facilities/ports.ts'

/** A provider that is not configured: work that needs it waits until it is. */
class NotConfigured extends Error {
  readonly isSafeToStore = true

  constructor(provider: string) {
    super(`no ${provider} is configured`)
    this.name = 'NotConfigured'
  }
}

/** No custodian: nothing is drawn and no lien released. */
export function createNoCustodian(): Custodian {
  const refuse = async () => {
    throw new NotConfigured('custodian')
  }
  return {
    setFloor: refuse,
    confirmControl: refuse,
    releaseLien: refuse,
    positions: refuse,
    readings: refuse,
    sell: refuse,
    cancelSale: refuse,
  }
}

/** No treasury: nothing is paid out or applied. */
export function createNoPayments(): Payments {
  const refuse = async () => {
    throw new NotConfigured('payments provider')
  }
  return { payOut: refuse, confirmReceipt: refuse }
}
