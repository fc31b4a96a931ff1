/** A figure of the book; its list has the facilities that make it up. */
export const BOOK_FIGURES = [
  'exposure',
  'collateral',
  'commitments',
  'warnings',
  'margin_calls',
  'deficits',
  'stale',
  'interest',
  'charged_off',
] as const

export type BookFigure = (typeof BOOK_FIGURES)[number]
