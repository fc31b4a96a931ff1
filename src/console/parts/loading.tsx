import { Skeleton } from '@mantine/core'

export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-label="Loading" style={{ display: 'grid', gap: 12, padding: 16 }}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without a content of their own.
        <Skeleton key={at} height={14} width={`${88 - ((at * 17) % 40)}%`} />
      ))}
    </div>
  )
}
