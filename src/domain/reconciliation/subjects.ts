// A movement of money has one name on both sides: `drw_…`, `rfd_…`, `rep_…` and `fac_…/sale/2/1` for what
// was done, `return/…` for the same when it comes back. The books have it in the id of an entry, the
// provider in the id of our call.

/** Key of an entry that moved bank or wallet. An entry of another kind is a movement of its own. */
export function keyOfEntry(facilityId: string, entryId: string): string {
  const [first = '', second = '', third = ''] = entryId.split('/')
  switch (first) {
    case 'draw':
    case 'refund':
    case 'repayment':
    case 'suspended':
      return second
    case 'transfer_return':
    case 'draw_return':
      return `return/${second}`
    case 'bounced':
      return `return/${third}`
    case 'sale':
      return `${facilityId}/${entryId}`
    default:
      return `${facilityId}/${entryId}`
  }
}

/** Key of a call, from its id as it was sent. Undefined for a call that moves no money. */
export function keyOfCall(wireId: string): string | undefined {
  const [subject = '', second, third, fourth] = wireId.split('.')
  if (/^(drw|rfd|rep)_/.test(subject)) return subject
  if (/^fac_/.test(subject) && second === 'call') return `${subject}/sale/${third}/${fourth}`
  return undefined
}

/** The id of the draw, refund, repayment or facility that the key names. */
export function subjectOf(key: string): string {
  return key.split('/').find((part) => /^(drw|rfd|rep|fac)_/.test(part)) ?? key
}

/** Ids that the key's entry in the books may have. Empty if the key does not show which entry it is. */
export function entriesOf(key: string): string[] {
  const isReturn = key.startsWith('return/')
  const subject = isReturn ? key.slice('return/'.length) : key
  switch (subject.slice(0, 3)) {
    case 'drw':
      return [isReturn ? `draw_return/${subject}` : `draw/${subject}`]
    case 'rep':
      if (isReturn) return [`transfer_return/${subject}`]
      return [`repayment/${subject}`, `suspended/${subject}`]
    case 'rfd':
      if (isReturn) return [`bounced/refund/${subject}`, `bounced/payout/${subject}`]
      return [`refund/${subject}`]
    case 'fac':
      return [subject.split('/').slice(1).join('/')]
    default:
      return []
  }
}
