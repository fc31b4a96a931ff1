/** Sentences of the contract's pages, which the check prints beside what an adapter does wrong. */
export const RULES = {
  answer: 'Only a 200 with the right body is an answer.',
  redirect: 'Redirects are not followed.',
  bounds: 'An answer is JSON of at most 256 KiB, within 10 s, uncompressed.',
  type: 'Its Content-Type is application/json.',
  form: 'A member of another form makes the whole answer garbage.',
  once: 'Every further PUT of the same id is the same call.',
  verify:
    'Verify it over the raw body, in constant time, and refuse a timestamp more than five minutes away from your clock.',
  turnedAway: 'Answer 401 to a call that does not verify or has another token, and do nothing.',
  number: 'Answer 400 to a number that you do not implement, and do nothing.',
  plain: 'A call without a tag is done.',
  pending: 'is pending, and done within a minute',
  refused: 'A refusal is final',
  returned: 'from then on answer it so, for good',
  cancelled: 'An id that you do not know is refused',
  known: 'the money has been sent: the answer of the payout',
  claimed: 'received: the amount that arrived under this reference',
  transfer: 'transfer_id is your own id of the transfer that arrived',
  day: 'call_id is the call it follows from',
  back: 'Money that comes back is a row of its own',
  balances: 'balances are those at the end of the day.',
  sold: 'It must not fill more',
  endSale: 'If you know the sale, end it and answer as sales would',
  late: 'Refuse an order that first reaches you after place_by',
  sequence: 'A call of a lower sequence than one that was done changes nothing.',
  released: "the facility's lien and floor have ended",
  pledged: 'List every facility of the tenant whose lien is not released',
  each: 'Each account has an answer of its own',
  everything: "positions: everything of the borrower's that the account holds now",
  callback: 'Send a callback that names the call',
  signed: 'X-SVC-Signature: sha256={hex, by one of the callback secrets}',
  callbackForm: 'the callback is malformed; repeating it does not help',
  callbackTime: 'more than 300 s away from our clock',
  callbackOnce: 'A callback that you repeat has the same id and the same body.',
} as const

export type Rule = keyof typeof RULES

/** A fault of an adapter, described in the terms of its engineer. */
export class Wrong extends Error {
  readonly rule: Rule

  constructor(found: string, rule: Rule) {
    super(found)
    this.rule = rule
  }
}

/** The adapter did nothing wrong, and nothing of what was asked for. */
export class NotShown extends Error {}
