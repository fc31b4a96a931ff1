import {
  credit,
  expectRate,
  liftHold,
  putOnHold,
  raiseRate,
  takePaymentBack,
} from './hard-day-steps.ts'
import type { Story } from './story.ts'
import {
  deposit,
  draw,
  expectSale,
  fallTo,
  letTimePass,
  openFacility,
  payCure,
  payOff,
  returnToMarket,
  sellAllAt,
  signUp,
} from './story-steps.ts'

const loan = [signUp(), openFacility('48000.00'), draw('48000.00')]

export const STORIES: readonly Story[] = [
  {
    id: 'price',
    title: 'A price falls and comes back',
    about: 'A warning is raised by the price and cured by it.',
    steps: [...loan, fallTo('68000', 1, 1), returnToMarket(1), payOff()],
  },
  {
    id: 'margin',
    title: 'A margin day',
    about:
      'Bitcoin falls through every tier. One warning is cured by collateral, one by a repayment, and one is not cured, so collateral is sold.',
    steps: [
      ...loan,
      fallTo('68000', 1, 1),
      fallTo('64000', 1, 2),
      fallTo('61000', 1, 3),
      deposit('1.4', 1),
      fallTo('48000', 2, 1),
      payCure(2),
      fallTo('40500', 3, 1),
      letTimePass(49, '49 hours pass, and nothing is paid'),
      expectSale(1),
      payOff(),
    ],
  },
  {
    id: 'month',
    title: 'A month of interest',
    about: 'A loan runs for thirty days and is paid off with its interest.',
    steps: [...loan, letTimePass(30 * 24, 'Thirty days pass'), payOff()],
  },
  {
    id: 'deficit',
    title: 'A sale that does not cover the debt',
    about: 'Bitcoin falls below the debt at once. The rest is charged off.',
    steps: [...loan, sellAllAt('40000')],
  },
  {
    id: 'return',
    title: 'A payment is returned',
    about: 'A repayment cures a warning, and the bank takes it back.',
    steps: [
      ...loan,
      fallTo('68000', 1, 1),
      payCure(1),
      takePaymentBack(2),
      returnToMarket(2),
      payOff(),
    ],
  },
  {
    id: 'hold',
    title: 'A hold',
    about: 'The lender stops everything for thirty days under an open warning.',
    steps: [
      ...loan,
      fallTo('68000', 1, 1),
      putOnHold(),
      letTimePass(30 * 24, 'Thirty days pass'),
      liftHold(1),
      returnToMarket(1),
      payOff(),
    ],
  },
  {
    id: 'correction',
    title: 'A correction',
    about: 'The lender credits principal, which clears a warning.',
    steps: [...loan, fallTo('68000', 1, 1), credit('20000.00', 1), payOff()],
  },
  {
    id: 'amendment',
    title: 'An amendment',
    about: 'The rate rises with thirty days of notice.',
    steps: [
      ...loan,
      raiseRate('0.12'),
      letTimePass(30 * 24 + 1, 'Thirty days pass'),
      expectRate('0.12'),
      payOff(),
    ],
  },
]
