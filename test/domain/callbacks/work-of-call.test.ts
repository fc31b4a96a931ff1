import { expect, test } from 'vitest'
import {
  type CallbackProvider,
  findWaitingWork,
} from '../../../src/domain/callbacks/work-of-call.ts'

const ID = '01kah9z4t8e8tbmkq4xmf2d9vr'

test.each<[CallbackProvider, string, string[], string]>([
  ['kyc', `chk_${ID}`, ['evaluate-borrower'], 'borrower'],
  ['custodian', `fac_${ID}.control`, ['underwrite-facility'], 'itself'],
  ['custodian', `fac_${ID}.floor.3`, ['push-floor', 'release-draw'], 'itself_and_draws'],
  ['custodian', `fac_${ID}.lien.4`, ['release-lien'], 'itself'],
  ['custodian', `fac_${ID}.application.1`, ['underwrite-facility'], 'itself'],
  ['custodian', `fac_${ID}.reading.17`, ['read-positions-alone'], 'itself'],
  ['custodian', `fac_${ID}.push.2`, ['confirm-push', 'check-push'], 'itself'],
  ['custodian', `fac_${ID}.escalation.2`, ['escalate-warning'], 'itself'],
  ['custodian', `fac_${ID}.write_off.2`, ['read-for-write-off'], 'itself'],
  ['custodian', `fac_${ID}.sale.3`, ['sell-collateral'], 'itself'],
  ['custodian', `fac_${ID}.call.1.2`, ['sell-collateral'], 'itself'],
  ['payments', `drw_${ID}`, ['release-draw'], 'itself'],
  ['payments', `rep_${ID}.1`, ['confirm-repayment'], 'itself'],
  ['payments', `rfd_${ID}.0`, ['pay-refund'], 'itself'],
])('%s, %s: the call is waited for by %j', (provider, callId, topics, subject) => {
  const objectId = callId.split('.')[0]
  expect(findWaitingWork(provider, callId)).toEqual({ topics, subject, objectId })
})

test.each<[CallbackProvider, string]>([
  ['kyc', `bor_${ID}`],
  ['kyc', ''],
  ['kyc', `fac_${ID}.control`],
  ['custodian', `fac_${ID}`],
  ['custodian', `drw_${ID}`],
  ['custodian', `fac_${ID}.floor.x`],
  ['custodian', `fac_${ID}.constructor`],
  ['custodian', `fac_${ID}/floor/3`],
  ['payments', `fac_${ID}.floor.3`],
  ['payments', 'drw_1'],
  ['payments', `__proto__`],
])('%s, "%s": no call of the service has such an id', (provider, callId) => {
  expect(findWaitingWork(provider, callId)).toBeUndefined()
})
