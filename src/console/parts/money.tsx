import classes from './parts.module.css'

/** A decimal string with its thousands apart, every digit kept. */
export function groupDigits(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** To the cent, below a dollar in full. Digits beyond are dropped. */
export function roundPrice(usd: string): string {
  return Number(usd) >= 1 ? usd.replace(/(\.\d{2})\d+$/, '$1') : usd
}

/** In a text: 1,234.56 USD. */
export const inUsd = (amount: string) => `${groupDigits(amount)} USD`

export function Money({ amount, asset = 'USD' }: { amount: string; asset?: string }) {
  return (
    <span className={classes.money}>
      {groupDigits(amount)} <span>{asset}</span>
    </span>
  )
}
