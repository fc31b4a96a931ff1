import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Facts, Loading, ProblemAlert } from '../../../pages/parts/page.tsx'
import type { Answer } from '../../data/operator-api.ts'
import { Difference } from '../../parts/difference.tsx'
import { EffectTable, inTurn, SETTLE_MS } from './effects.tsx'

type Preview = Answer<'previewAmendment'>
type Group = Preview['groups'][number]

type EffectProps = {
  /** The amendment, or its approval, whose effect is shown. Undefined until something is chosen. */
  of: object | undefined
  read: (signal: AbortSignal) => Promise<Preview | null>
}

/** Shows what an amendment would change in the terms and in the book of now. The effect is shown in the same
 * way when an amendment is proposed and when it is confirmed. */
export function AmendmentEffect({ of, read }: EffectProps) {
  const [settled] = useDebouncedValue(JSON.stringify(of), SETTLE_MS)
  const isSettled = settled === JSON.stringify(of)
  const { data, error, isFetching } = useQuery({
    queryKey: ['amendment-effect', settled],
    queryFn: ({ signal }) => inTurn(() => read(signal), signal),
    enabled: of !== undefined && isSettled,
    staleTime: 30_000,
  })
  if (of === undefined) return null
  const shown = isSettled ? data : undefined
  return (
    <Stack component="section" aria-label="Effect of the amendment" aria-busy={isFetching} gap="sm">
      <ProblemAlert error={isSettled && error} />
      {!shown && !error && <Loading />}
      {shown && <Shown preview={shown} />}
    </Stack>
  )
}

function Shown({ preview }: { preview: Preview }) {
  const { with_notice: noticed, without_notice: now, left, groups, more_groups: more } = preview
  return (
    <>
      <Facts
        items={[
          ['Stricter, with notice', noticed],
          ['Nowhere stricter, immediately', now],
          ['Left out', left],
        ]}
      />
      {groups.map((group) => (
        <div key={`${group.before.version} ${group.before.rate} ${group.after.rate}`}>
          <p className="quiet">{describeGroup(group)}</p>
          <Difference before={group.before} after={group.after} />
        </div>
      ))}
      {more > 0 && <p className="quiet">{more} more groups of facilities change otherwise.</p>}
      {groups.length > 0 && <EffectTable now={preview.effect} />}
    </>
  )
}

function describeGroup({ facilities, with_notice: isNoticed }: Group): string {
  const many = facilities === 1 ? 'One facility' : `${facilities} facilities`
  return `${many}, ${isNoticed ? 'with 30 days of notice' : 'immediately'}:`
}
