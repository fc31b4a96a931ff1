import classes from './parts.module.css'

/** A decimal string with its thousands apart, every digit kept. */
export function groupDigits(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

export function Money({ amount, asset = 'USD' }: { amount: string; asset?: string }) {
  return (
    <span className={classes.money}>
      {groupDigits(amount)}
      <span>{asset}</span>
    </span>
  )
}
