import type { Custodian, Payments } from '../domain/facilities/ports.ts'

/** Work that needs a provider waits until it is configured. */
class NotConfigured extends Error {
  readonly isSafeToStore = true

  constructor(provider: string) {
    super(`no ${provider} is configured`)
    this.name = 'NotConfigured'
  }
}

export function createNoCustodian(): Custodian {
  const refuse = async () => {
    throw new NotConfigured('custodian')
  }
  return {
    setFloor: refuse,
    confirmControl: refuse,
    releaseLien: refuse,
    cancelRelease: refuse,
    positions: refuse,
    readings: refuse,
    sell: refuse,
    cancelSale: refuse,
    accounts: refuse,
  }
}

export function createNoPayments(): Payments {
  const refuse = async () => {
    throw new NotConfigured('payments provider')
  }
  return { payOut: refuse, cancelPayOut: refuse, confirmReceipt: refuse, listDay: refuse }
}
