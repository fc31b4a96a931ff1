import { TextInput } from '@mantine/core'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** The last that has ended, in UTC: `2026-10`. */
export function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7)
}

/** The last millisecond of a month. */
export function endOf(month: string): string {
  const start = new Date(`${month}-01T00:00:00Z`)
  const next = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)
  return new Date(next - 1).toISOString()
}

type MonthProps = { value: string; onChange: (month: string) => void }

/** Months are in UTC. Input that is not a month, which a browser without a picker allows, is ignored. */
export function FilterMonth({ value, onChange }: MonthProps) {
  return (
    <TextInput
      size="xs"
      type="month"
      label="Month (UTC)"
      placeholder="2026-10"
      key={value}
      defaultValue={value}
      onChange={({ currentTarget }) => {
        if (MONTH.test(currentTarget.value)) onChange(currentTarget.value)
      }}
    />
  )
}
