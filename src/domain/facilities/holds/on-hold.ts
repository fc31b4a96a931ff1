import { Refusal } from '../../../core/errors.ts'

/** A held facility refuses with it. Its kind stays with the lender: a freeze must warn no one. */
export function onHold(): Refusal {
  return new Refusal(
    'facility_on_hold',
    'The facility is on hold: it pays nothing out and does not close until facility.released.',
  )
}
