import { formatRatio } from '../../../pages/data/figures.ts'
import { groupDigits } from '../../../pages/parts/values.tsx'
import type { StoryStep } from './story.ts'

const shown = (amount: string) => `$${groupDigits(amount)}`

/** The transfer that cured the warning before `number` is taken back. */
export function takePaymentBack(number: number): StoryStep {
  return {
    title: 'The bank takes the payment back',
    async play({ client, waitFor }, { facilityId, repaymentId }) {
      await client.returnSandboxPayment({ repayment_id: repaymentId, code: 'recalled' })
      await waitFor('repayment.reversed', repaymentId)
      await waitFor('margin_warning.raised', `${facilityId}/${number}`)
      const { outstanding } = await client.getFacility(facilityId)
      return `${shown(outstanding.total)} is owed, as if it had never come, and warning ${number} is raised: a bank's message sells nothing for two hours.`
    },
  }
}

export function putOnHold(): StoryStep {
  return {
    title: 'The lender puts the loan on hold',
    async play({ client, waitFor }, { facilityId }) {
      await client.setSandboxHold(facilityId, true)
      await waitFor('facility.held', facilityId)
      return 'Nothing is sold or paid out, and deadlines stand still. Why is not shown to you.'
    },
  }
}

export function liftHold(number: number): StoryStep {
  return {
    title: 'The hold is lifted',
    async play({ client, waitFor }, { facilityId }) {
      const { status } = await client.getMarginWarning(facilityId, number)
      await client.setSandboxHold(facilityId, false)
      await waitFor('facility.released', facilityId)
      return `Warning ${number} is ${status}: its deadline goes on from here.`
    },
  }
}

export function credit(amount: string, number: number): StoryStep {
  return {
    title: `The lender credits ${shown(amount)} of principal`,
    async play({ client, waitFor }, { facilityId }) {
      const principal = { amount, asset: 'USD' }
      await client.correctSandboxFacility(facilityId, { kind: 'credit', amount: principal })
      await waitFor('facility.corrected', facilityId)
      await waitFor('margin_warning.cured', `${facilityId}/${number}`)
      const { outstanding } = await client.getFacility(facilityId)
      return `${shown(outstanding.total)} is owed, and warning ${number} is cured by the correction.`
    },
  }
}

export function raiseRate(rate: string): StoryStep {
  return {
    title: `The rate is amended to ${formatRatio(rate)}, with notice`,
    async play({ client, waitFor }, { facilityId }) {
      await client.amendSandboxFacility(facilityId, { rate })
      await waitFor('facility.terms_changed', facilityId)
      const { next_terms: next } = await client.getFacility(facilityId)
      return `It takes effect on ${next?.effective_at?.slice(0, 10)}: what is stricter waits for 30 days.`
    },
  }
}

export function expectRate(rate: string): StoryStep {
  return {
    title: 'The amendment takes effect',
    async play({ client }, { facilityId }) {
      const { terms, outstanding } = await client.getFacility(facilityId)
      if (terms?.rate !== rate) throw new Error(`The rate is ${terms?.rate}.`)
      return `The rate is ${formatRatio(rate)} from here on; ${shown(outstanding.interest)} of interest ran at the old one.`
    },
  }
}
