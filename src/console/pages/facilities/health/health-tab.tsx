import { Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { Facility } from '../../../../client/index.ts'
import { Loading } from '../../../../pages/parts/page.tsx'
import { CollateralPanel } from './collateral-panel.tsx'
import { LevelsPanel } from './levels-panel.tsx'

const LtvPanel = lazy(async () => {
  const { LtvPanel } = await import('./ltv-panel.tsx')
  return { default: LtvPanel }
})

export function HealthTab({ facility }: { facility: Facility }) {
  return (
    <Stack gap="lg">
      <CollateralPanel facility={facility} />
      {facility.state === 'APPROVED' && <LevelsPanel facility={facility} />}
      <Suspense fallback={<Loading lines={8} />}>
        <LtvPanel facility={facility} />
      </Suspense>
    </Stack>
  )
}
