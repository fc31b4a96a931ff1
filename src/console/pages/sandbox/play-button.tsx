import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Facility } from '../../../client/index.ts'
import { live } from '../../../pages/data/query-client.ts'
import { Confirm, GuardedButton } from '../../../pages/parts/forms.tsx'
import { Loading, Notice, ProblemAlert } from '../../../pages/parts/page.tsx'
import { Money, ResourceId } from '../../../pages/parts/values.tsx'
import { service } from '../../data/console-api.ts'
import type { Preview } from '../../data/lending-types.ts'
import { listOwing } from './affected-notice.tsx'
import { playStory } from './play-story.ts'
import { type Story, worstOf } from './story.ts'

/** Plays at once where no loan is open, and otherwise asks first. */
export function PlayButton({ story }: { story: Story }) {
  const [others, setOthers] = useState<readonly Facility[]>([])
  const start = useMutation({
    mutationFn: () => listOwing({}),
    onSuccess: ({ owing }) => {
      if (owing.length > 0) setOthers(owing)
      else void playStory(story)
    },
  })
  const play = useMutation({ mutationFn: async () => void playStory(story) })
  return (
    <>
      <GuardedButton
        scope="facility:write"
        loading={start.isPending}
        onClick={() => start.mutate()}
      >
        Play
      </GuardedButton>
      <ProblemAlert error={start.error} />
      <Confirm
        title="Other loans are open"
        act="Play all the same"
        isOpen={others.length > 0}
        onClose={() => setOthers([])}
        mutation={play}
      >
        {others.length > 0 && <WouldBeSold story={story} others={others} />}
      </Confirm>
    </>
  )
}

/** Each is a request. */
const MOST_ASKED = 40

/** Shows which loans would be sold: each is previewed at the story's lowest price, after all its time. */
function WouldBeSold({ story, others }: { story: Story; others: readonly Facility[] }) {
  const asked = others.slice(0, MOST_ASKED)
  const { data, error } = useQuery({
    queryKey: live('sandbox', 'story', story.id),
    queryFn: async ({ signal }) => {
      const sales: { facility: Facility; sale: NonNullable<Preview['sale']> }[] = []
      for (const facility of asked) {
        const { sale } = await service.previewFacility(facility.id, actsOf(story), { signal })
        if (sale) sales.push({ facility, sale })
      }
      return sales
    },
    gcTime: 0,
  })
  const left = others.length - asked.length
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <p style={{ margin: 0 }}>
        {count(others.length)} money now. The story’s prices and time count for them too.
      </p>
      <ProblemAlert error={error} />
      {!data && !error && <Loading />}
      {data?.length === 0 && <Notice tone="calm" title="None of them would be sold." />}
      {data && data.length > 0 && (
        <Notice tone="bad" title={`Collateral of ${data.length} would be sold`}>
          <ul>
            {data.map(({ facility: { id }, sale }) => (
              <li key={id}>
                <ResourceId value={id} />: {plannedOf(sale)} for <Money amount={sale.sale_usd} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {left > 0 && <p style={{ margin: 0 }}>{left} more were not asked about.</p>}
    </div>
  )
}

const count = (owing: number) => (owing === 1 ? '1 loan owes' : `${owing} loans owe`)

function actsOf(story: Story) {
  const { priceUsd, days } = worstOf(story)
  return {
    ...(priceUsd !== undefined && { prices: [{ asset: 'BTC' as const, price_usd: priceUsd }] }),
    ...(days > 0 && { days }),
  }
}

const plannedOf = ({ planned }: NonNullable<Preview['sale']>) =>
  planned.map(({ asset, quantity }) => `${quantity} ${asset}`).join(', ')
